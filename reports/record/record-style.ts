import { colours } from '../formats/html/style.ts'

/** The style sheet of the test record: always light, and relative to the width of the page, so that it fits A4 and Letter. */
export const recordStyle = `${colours}
:root{color-scheme:light!important}
*{box-sizing:border-box;print-color-adjust:exact;-webkit-print-color-adjust:exact}
body{margin:0;background:#fff;color:var(--ink);font:10.5pt/1.45 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
main{max-width:190mm;margin:0 auto;padding:1.5rem 1rem}
@page{margin:16mm 15mm 18mm}
@media print{main{max-width:none;padding:0}}
h1,h2,h3,p,ul,dl,dd,pre{margin:0}
code,pre{font-family:var(--mono);font-size:.88em}
header{border-top:3pt solid var(--tone);padding-top:8pt}
h1{font-size:20pt;line-height:1.2;font-weight:600;letter-spacing:-.02em;margin:3pt 0}
h1 strong{color:var(--tone);font-weight:700}
.eyebrow,.small{color:var(--soft);font-size:.9em}
.lede{font-size:11.5pt;margin:6pt 0}
.callout{padding:4pt 8pt;margin:6pt 0;border-left:2pt solid var(--warning);background:var(--warning-bg)}
.plain{margin:12pt 0 0;padding:7pt 10pt;border:.75pt solid var(--soft);border-radius:3pt}
.bar{display:block;width:100%;height:7pt;margin:8pt 0 4pt}
.legend{display:flex;flex-wrap:wrap;gap:2pt 12pt;list-style:none;padding:0}
.tally{color:var(--ink);text-decoration:none}.tally b{color:var(--tone)}
.glyph{display:inline-block;width:1.05em;text-align:center;font-weight:700}
.chip{display:inline-flex;white-space:nowrap;font-size:.8em;font-weight:600;padding:0 6pt 0 3pt;border-radius:9pt;color:var(--tone);background:var(--tint)}
section{margin-top:15pt}
h2{font-size:12.5pt;font-weight:650;margin-bottom:5pt;break-after:avoid}
h3{font-size:10.5pt;font-weight:600;break-after:avoid}
.pairs>div{display:grid;grid-template-columns:minmax(0,13em) minmax(0,1fr);gap:0 10pt;padding:2.5pt 0;border-bottom:.5pt solid var(--line);break-inside:avoid}
.pairs dt{color:var(--soft)}
article{border-left:2pt solid var(--tone);padding-left:9pt;margin-top:9pt;break-inside:avoid}
table{border-collapse:collapse;width:100%}
tr{break-inside:avoid}
th,td{text-align:left;vertical-align:top;padding:2.5pt 8pt 2.5pt 0;border-bottom:.5pt solid var(--line);font-weight:400}
thead th{color:var(--soft);font-size:.9em}
thead{display:table-header-group}
.waivers{table-layout:fixed}.waivers th:nth-child(1){width:38%}.waivers th:nth-child(3){width:18%}.waivers th:nth-child(4){width:14%}
.number{text-align:right;font-variant-numeric:tabular-nums;width:7em}
.reasons{list-style:none;padding:0}.reasons li{padding:2.5pt 0}
pre{white-space:pre-wrap;background:var(--raise);border-radius:3pt;padding:5pt 8pt;margin:4pt 0}
`
