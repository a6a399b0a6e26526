import { statuses } from '../../view/status.ts'
import { layout } from './style-layout.ts'

// Colours that stay apart for every kind of colour vision; each status has its own sign and word as well.
export const colours = `:root{color-scheme:light dark;
--bg:light-dark(#f6f7f4,#0f1311);--card:light-dark(#ffffff,#171c19);--raise:light-dark(#f1f3ef,#1e2421);
--ink:light-dark(#18201b,#e7ece8);--soft:light-dark(#55605a,#a4afa8);--line:light-dark(#dde2dc,#2b332e);
--accent:light-dark(#2c6e49,#7cc79a);--link:light-dark(#1c5f8f,#8cc4ee);
--passed:light-dark(#0a6a55,#62cfae);--passed-bg:light-dark(#dff1ec,#10332a);
--failed:light-dark(#a3260d,#ff9179);--failed-bg:light-dark(#fce7e1,#43190f);
--warning:light-dark(#774900,#f0bb5e);--warning-bg:light-dark(#fbf0d4,#3a2b0d);
--inconclusive:light-dark(#673c9b,#cbaaf4);--inconclusive-bg:light-dark(#f0e9f9,#2f2242);
--fixed:light-dark(#8a1f5c,#f29ac6);--fixed-bg:light-dark(#fbe6f1,#3d1429);
--waived:light-dark(#4a5a12,#c3d27a);--waived-bg:light-dark(#eff3da,#2a3110);
--baselined:light-dark(#5c4a2e,#d8c19a);--baselined-bg:light-dark(#f3ecdf,#332a1c);
--untested:light-dark(#525c57,#abb5af);--untested-bg:light-dark(#eaedea,#262d29);
--partial:light-dark(#665a00,#e8d75f);--partial-bg:light-dark(#f7f2c4,#353009);
--observed:light-dark(#1f5790,#8bbcf3);--observed-bg:light-dark(#e4eef9,#16304a);
--mono:ui-monospace,"SF Mono","Cascadia Mono","DejaVu Sans Mono",Menlo,Consolas,monospace}
:root[data-theme=light]{color-scheme:light}:root[data-theme=dark]{color-scheme:dark}
${statuses
  .map(name => `.${name}{--tone:var(--${name});--tint:var(--${name}-bg)}.fill-${name}{fill:var(--${name})}`)
  .join('\n')}
.conformant{--tone:var(--passed);--tint:var(--passed-bg)}.nonconformant{--tone:var(--failed);--tint:var(--failed-bg)}.accepted{--tone:var(--observed);--tint:var(--observed-bg)}.outdated{--tone:var(--baselined);--tint:var(--baselined-bg)}.partial{--tone:var(--partial);--tint:var(--partial-bg)}
`

/** The page's style sheet. */
export const style = `${colours}${layout}`
