import { statuses } from '../../view/status.ts'

/** The style sheet without its colours. */
const layout = `*{box-sizing:border-box}
html{scroll-padding-top:4.5rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:break-word}
code,pre{font-family:var(--mono);font-size:.87em}
a{color:var(--link);text-underline-offset:.18em;text-decoration-thickness:1px}
a code{color:inherit}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
h1,h2,h3,h4,h5,p,ul,ol,dl,dd,pre,fieldset{margin:0}
small,.small{font-size:.82em}
.soft{color:var(--soft)}.dot{color:var(--soft);margin:0 .15em}
.hush,.skip:not(:focus){position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.skip:focus{position:fixed;z-index:9;top:.5rem;left:.5rem;background:var(--card);padding:.5rem 1rem}
html:not(.js) .js-only{display:none!important}
[hidden]{display:none!important}

.top{position:sticky;top:0;z-index:5;display:flex;align-items:center;gap:1.4rem;padding:.55rem max(1.2rem,calc((100% - 1160px)/2 + 1.2rem));background:color-mix(in srgb,var(--bg) 92%,transparent);backdrop-filter:blur(8px);border-bottom:1px solid var(--line)}
.brand{display:flex;align-items:center;gap:.45rem;font-weight:650;letter-spacing:-.01em}
.leaf{width:1.05rem;height:1.05rem;fill:var(--accent)}
.top nav{display:flex;gap:1.1rem;flex:1;overflow-x:auto;font-size:.9rem;white-space:nowrap;scrollbar-width:none}
.top nav a{color:var(--ink);text-decoration:none;padding:.25rem 0}
.top nav a:hover{text-decoration:underline}
.count{font-size:.8em;font-weight:500;color:var(--soft);font-variant-numeric:tabular-nums}
main,footer{max-width:1160px;margin:0 auto;padding:0 1.2rem}
section{margin:2.6rem 0 0}
section>h2{font-size:1.25rem;font-weight:650;letter-spacing:-.012em;margin-bottom:.8rem}
footer{padding:2.5rem 1.2rem 3rem;color:var(--soft);font-size:.85rem}
button{font:inherit;font-size:.82rem;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.22rem .65rem;cursor:pointer;white-space:nowrap}
button:hover{border-color:var(--soft)}

.verdict{margin-top:1.6rem;background:var(--card);border:1px solid var(--line);border-top:4px solid var(--tone);border-radius:10px;padding:1.6rem 1.8rem 1.7rem}
.eyebrow{color:var(--soft);font-size:.88rem}
.verdict h1{display:flex;align-items:center;gap:.7rem;font-size:clamp(1.9rem,4.5vw,2.7rem);line-height:1.15;font-weight:700;letter-spacing:-.028em;color:var(--tone);margin:.5rem 0 .35rem}
.seal{display:grid;place-items:center;width:1.25em;height:1.25em;border-radius:50%;background:var(--tint);font-size:.72em;line-height:1}
.lede{font-size:1.08rem;max-width:76ch}
.callout{margin-top:.8rem;padding:.5rem .8rem;border-left:3px solid var(--tone);background:var(--tint);border-radius:0 6px 6px 0}
.bar{display:block;width:100%;height:10px;margin:1.2rem 0 .55rem}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.3rem;list-style:none;padding:0;font-size:.9rem}
.tally{color:var(--ink);text-decoration:none}.tally:hover{text-decoration:underline}.tally b{color:var(--tone);font-variant-numeric:tabular-nums}
.glyph{display:inline-block;width:1.05em;margin-right:.2em;text-align:center;font-weight:700}
.leaders{margin:1.1rem 0 0;padding:0;list-style:none;border-top:1px solid var(--line)}
.leaders li{padding:.42rem 0 .42rem .8rem;border-bottom:1px solid var(--line);position:relative}
.leaders li::before{content:"";position:absolute;left:0;top:.65rem;bottom:.65rem;width:3px;border-radius:2px;background:var(--tone,var(--line))}
.leaders a{font-weight:550}.leaders .soft{font-size:.88rem;margin-left:.4rem}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr));gap:1rem 1.6rem}
.columns>div{min-width:0}
.verdict .columns{margin-top:1.4rem}
.verdict .columns h2{font-size:.95rem;font-weight:650;margin-bottom:.3rem}
.facts{padding:0;list-style:none;font-size:.93rem}.facts li{padding:.18rem 0}
.facts b{font-variant-numeric:tabular-nums}

.chip{display:inline-flex;align-items:center;white-space:nowrap;font-size:.78rem;font-weight:600;line-height:1.35;padding:.12rem .55rem .12rem .35rem;border-radius:999px;color:var(--tone);background:var(--tint)}
.level{font-size:.75rem;font-weight:600;letter-spacing:.04em;color:var(--soft)}
.finding{background:var(--card);border:1px solid var(--line);border-left:4px solid var(--tone);border-radius:8px;margin-top:1rem}
.finding summary{display:flex;align-items:center;gap:.8rem;padding:.85rem 1.2rem;cursor:pointer;list-style:none}
.finding summary::-webkit-details-marker{display:none}
.finding summary h3{flex:1;font-size:1.05rem;font-weight:600;line-height:1.35;min-width:0}
.number{display:grid;place-items:center;flex:none;min-width:1.75rem;height:1.75rem;border-radius:50%;background:var(--tint);color:var(--tone);font-weight:650;font-size:.85rem}
.tags{display:flex;align-items:center;gap:.5rem;flex:none}
.finding details>:not(summary){margin-left:1.2rem;margin-right:1.2rem}
.finding details>:last-child{margin-bottom:1.2rem}
.requirement{margin-top:.1rem}.requirement b{font-weight:600}
.where{font-size:.88rem;color:var(--soft)}
.finding h4{font-size:.85rem;font-weight:650;margin:1.1rem 0 .35rem}
.finding h5{font-size:.78rem;font-weight:500;color:var(--soft);margin-bottom:.2rem}
.compare{margin-top:.9rem;gap:.8rem}
.compare>div{padding:.6rem .9rem .7rem;border-radius:6px;background:var(--tint);border:1px solid color-mix(in srgb,var(--tone) 28%,transparent)}
.compare h4{margin:0 0 .15rem;color:var(--tone)}
.compare p{font-family:var(--mono);font-size:.87rem;overflow-wrap:anywhere}
.compare .expected{--tone:var(--passed);--tint:var(--passed-bg)}
.hint{margin-top:.8rem;padding:.1rem 0 .1rem .9rem;border-left:3px solid var(--accent)}
.hint b{color:var(--accent);margin-right:.3rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--raise);border-radius:6px;padding:.6rem .9rem;line-height:1.5}
.wire b{font-weight:650}
.chain{padding:0;list-style:none;counter-reset:step;border-top:1px solid var(--line)}
.chain>li{counter-increment:step;border-bottom:1px solid var(--line);padding-left:.8rem;border-left:3px solid transparent}
.chain>.shows{border-left-color:var(--tone)}.shows summary .soft{color:var(--tone);font-weight:600}
.finding .chain summary{gap:.6rem;padding:.42rem 0;flex-wrap:wrap}.chain summary::before{content:counter(step);min-width:1.2rem;color:var(--soft);font-variant-numeric:tabular-nums}
.chain summary code{overflow-wrap:anywhere}.chain .columns{margin:0 0 .8rem 1.8rem}.finding .chain details>:not(summary){margin-right:0}
.command{position:relative;margin-bottom:.4rem}
.command pre{padding-right:5rem}.command code{font-size:1em}
.copy{position:absolute;top:.4rem;right:.4rem}
.also{padding-left:1.1rem;font-size:.92rem;columns:22rem}.also li{break-inside:avoid}
.compare p,.finding h3,.leaders a,.obligations p{white-space:pre-wrap}
.here{animation:here 2.2s ease-out}
@keyframes here{from{box-shadow:0 0 0 3px var(--link)}to{box-shadow:0 0 0 3px transparent}}

.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:8px}
table{border-collapse:collapse;width:100%;font-size:.92rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .8rem}
thead th{font-size:.82rem;font-weight:600;color:var(--soft);border-bottom:1px solid var(--line)}
.map{border-collapse:separate;border-spacing:4px;table-layout:fixed;min-width:56rem}
.map thead th{border:0;color:var(--ink);padding:.4rem .6rem}
.map th small{display:block;font-weight:400;color:var(--soft);line-height:1.35;overflow-wrap:anywhere}
.map th:first-child{width:20%}
.map tbody th{font-weight:600;overflow-wrap:anywhere}
.dense .cell a{min-height:0;padding:.25rem .6rem}.dense .cell b,.dense .cell small,.dense .cell span{line-height:1.3}
.map td{padding:0;height:1px}
.cell a{display:block;height:100%;min-height:4.4rem;padding:.45rem .6rem;border-radius:6px;background:var(--tint);color:var(--ink);text-decoration:none;border:1px solid color-mix(in srgb,var(--tone) 22%,transparent)}
.cell a:hover{border-color:var(--tone)}
.cell b{display:block;color:var(--tone);font-variant-numeric:tabular-nums}
.cell span:not(.glyph),.cell small{display:block;line-height:1.35;font-size:.82rem}
.cell small{color:var(--soft)}
.empty{border-radius:6px;background:repeating-linear-gradient(135deg,transparent 0 6px,var(--raise) 6px 8px)}

.filter{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1rem;margin-bottom:.8rem;font-size:.9rem}
.search{display:flex;align-items:center;gap:.5rem;flex:1 1 22rem}
.search input{flex:1;min-width:0;font:inherit;color:inherit;background:var(--card);border:1px solid color-mix(in srgb,var(--soft) 60%,transparent);border-radius:6px;padding:.35rem .65rem}
.search input::placeholder{color:var(--soft);opacity:1}
fieldset{border:0;padding:0;display:flex;flex-wrap:wrap;gap:.2rem .9rem}
legend{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.toggle{display:flex;align-items:center;gap:.3rem;color:var(--tone)}.toggle input{accent-color:var(--tone)}
.shown{color:var(--soft);font-variant-numeric:tabular-nums}
.obligations,.obligations thead,.obligations tbody{display:block}.obligations tr{display:grid;grid-template-columns:9rem minmax(0,1fr) 6.5rem 17rem 6rem}.obligations .group{display:block}.obligations .group th{display:block}
.obligations tbody:not(.head){content-visibility:auto;contain-intrinsic-size:auto 1700px}
.obligations tr[data-status]{border-top:1px solid var(--line)}
.obligations .group th{background:var(--raise);font-weight:600;border-top:1px solid var(--line)}
.group .soft{font-weight:400;margin-left:.5rem;font-size:.9em}
.obligations p{line-height:1.4}.detail{color:var(--soft);font-size:.9em}
.self{color:var(--ink);text-decoration:none;overflow-wrap:anywhere}.self:hover{text-decoration:underline}
.clause{color:var(--soft);overflow-wrap:anywhere}
.number-cell{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.number-cell small{display:block;color:var(--soft)}
tr:target td,tr.here td{background:color-mix(in srgb,var(--link) 12%,transparent)}
.scroll+.small{margin-top:.5rem}

.finding{content-visibility:auto;contain-intrinsic-size:auto 60rem}
.excerpt .at{display:inline-block;min-width:2.2em;margin-right:.6em;text-align:right;color:var(--soft);user-select:none}
.excerpt mark{display:block;background:color-mix(in srgb,var(--tone) 14%,transparent);color:inherit;margin:0 -.9rem;padding:0 .9rem;box-shadow:inset 3px 0 var(--tone)}
.clauses{background:var(--card);border:1px solid var(--line);border-radius:8px;margin-top:.7rem}
.others{list-style:none;padding:0;font-size:.92em}.paper{display:none}
.clause-row{content-visibility:auto;contain-intrinsic-size:auto 3.4rem}.clause-row+.clause-row{border-top:1px solid var(--line)}
.line{display:grid;grid-template-columns:8rem minmax(0,1fr) minmax(8rem,17rem);gap:.2rem 1rem;align-items:start;padding:.5rem .8rem;font-size:.92rem}
summary.line{cursor:pointer;list-style:none}summary.line::-webkit-details-marker{display:none}summary.line:hover{background:var(--raise)}
.line .chip{justify-self:start}.words small{display:block;color:var(--soft);overflow-wrap:anywhere}.why{font-size:.9em}
.part:not(:last-child)::after{content:" · "}.part:last-child::after{content:"▸"/"";margin-left:.5em}[open]>.line .part:last-child::after{content:"▾"/""}
.clause-row .also{list-style:none;padding:.1rem .8rem .8rem 9.8rem}.clause-row .also a{font-family:var(--mono);font-size:.87em}
.responses th small{display:block;font-weight:400;color:var(--soft)}.responses tbody th,.responses tbody td{border-top:1px solid var(--line)}
.statuses{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.3rem .9rem}.statuses b{color:var(--tone,var(--ink))}.statuses span{color:var(--soft)}
.status-2xx{--tone:var(--passed)}.status-3xx{--tone:var(--observed)}.status-4xx{--tone:var(--warning)}.status-5xx,.status-none{--tone:var(--failed)}
.strip{display:block;width:15rem;height:28px;background:linear-gradient(var(--line),var(--line)) bottom/100% 1px no-repeat}.strip rect{fill:var(--accent)}
.pairs>div{display:grid;grid-template-columns:minmax(9rem,22rem) 1fr;gap:.2rem 1.4rem;padding:.42rem 0;border-bottom:1px solid var(--line)}
.pairs dt{color:var(--soft);font-size:.92rem;overflow-wrap:anywhere}.pairs dd{overflow-wrap:anywhere}
#map .pairs>div,#run .pairs>div{grid-template-columns:10rem 1fr}
#map h3,#questions h3{font-size:.95rem;margin:1.3rem 0 .3rem}
.reason{padding:.35rem 0;border-bottom:1px solid var(--line)}.reason summary{cursor:pointer}.reason .also{padding:.4rem 0 .4rem 2.2rem}
.notes{padding-left:1.1rem}
@media (max-width:640px){html{scroll-padding-top:6rem}.top{flex-wrap:wrap;gap:.2rem 1rem;justify-content:space-between}.top nav{order:3;flex:1 0 100%}
.verdict{padding:1.1rem 1.1rem 1.2rem}.finding summary{flex-wrap:wrap}.finding summary h3{flex:1 1 70%}
.pairs>div,#map .pairs>div,#run .pairs>div{grid-template-columns:1fr}.leaders .soft{display:block;margin-left:0}
.line{grid-template-columns:1fr}.clause-row .also{padding-left:.8rem}
.obligations thead{display:none}.obligations tr[data-status]{grid-template-columns:auto auto 1fr;align-items:center;padding:.5rem 0}
.obligations td{border:0;padding:.1rem .8rem}.obligations td:nth-child(2){grid-column:1/-1;order:4}.obligations .clause{grid-column:1/-1;order:5}}
@media (prefers-reduced-motion:reduce){.here{animation:none}}
@media print{.obligations tbody:not(.head),.finding,.clause-row{content-visibility:visible}:root{color-scheme:light!important}body{font-size:10.5pt;background:#fff}.top,.filter,.copy,.skip,.screen{display:none!important}.paper{display:list-item}
.finding{font-size:8.5pt;line-height:1.35}.finding .columns{grid-template-columns:1fr 1fr;gap:.4rem .8rem}.finding summary{padding:.4rem .8rem}.finding h4{margin:.5rem 0 .15rem}
.finding details>:not(summary){margin-left:.8rem;margin-right:.8rem}.finding details>:last-child{margin-bottom:.6rem}.finding pre{padding:.3rem .6rem;line-height:1.35;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:10;overflow:hidden}
.finding .excerpt{display:block}.finding .also{columns:14rem}
.finding,.cell,tr,.verdict{break-inside:avoid}main,footer{max-width:none;padding:0}.scroll{overflow:visible}.map{min-width:0}
*{print-color-adjust:exact;-webkit-print-color-adjust:exact}details::details-content{content-visibility:visible;height:auto}}
`

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
