/** The style of the report page: no font, image or script from anywhere; light and dark; one column on a phone. */

/** The sixteen colours of a terminal, each readable on the dark ground of a stream. */
const PALETTE = [
  '#8b93a1',
  '#ff8080',
  '#7ddb8a',
  '#e6c95c',
  '#7fb2ff',
  '#dfa0ff',
  '#6fd6dc',
  '#d7dbe2',
  '#a3abb8',
  '#ffa1a1',
  '#a0efab',
  '#f5df8c',
  '#a8ccff',
  '#ecc4ff',
  '#9deaee',
  '#ffffff',
]
const GROUNDS = [
  '#000000',
  '#7a1f1f',
  '#1c5b27',
  '#5f4d00',
  '#1c3f7a',
  '#5a2472',
  '#11545a',
  '#4a505c',
  '#343a46',
  '#9c2a2a',
  '#25752f',
  '#7a6400',
  '#28569f',
  '#743092',
  '#1a6d74',
  '#5d6472',
]

const palette = [
  ...PALETTE.map((color, index) => `.f${index}{color:${color}}`),
  ...GROUNDS.map((color, index) => `.b${index}{background:${color}}`),
].join('')

/** The content of the page's style element. */
export const STYLE = `
:root{color-scheme:light dark;--ground:#fff;--raised:#f4f5f7;--text:#1b1f26;--muted:#525a68;--line:#d5d9e0;--link:#0b57b8;--pass:#17692b;--fail:#b3211c;--error:#8a4b00;--bar:#3f6fb5}
@media (prefers-color-scheme:dark){:root{--ground:#14171c;--raised:#1d2129;--text:#e7eaef;--muted:#a5adba;--line:#363c47;--link:#8ebcff;--pass:#78d68a;--fail:#ff8f88;--error:#f0b35e;--bar:#7aa7ec}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:70rem;padding:1rem;background:var(--ground);color:var(--text);font:1rem/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
a{color:var(--link)}
:focus-visible{outline:3px solid var(--link);outline-offset:2px}
.skip{position:absolute;left:-99rem}.skip:focus{position:static}
h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.25rem;margin:0 0 .5rem}h3{font-size:1rem;margin:1.2rem 0 .3rem}
.muted{color:var(--muted)}
nav ul{list-style:none;padding:0;display:flex;flex-wrap:wrap;gap:.3rem 1.2rem}
nav a{display:inline-block;padding:.2rem 0}
.verdict{font-weight:600;white-space:nowrap}.verdict.pass{color:var(--pass)}.verdict.fail{color:var(--fail)}.verdict.error{color:var(--error)}
section{border:1px solid var(--line);border-left-width:.35rem;border-radius:.4rem;padding:1rem;margin:1rem 0}
section.pass{border-left-color:var(--pass)}section.fail{border-left-color:var(--fail)}section.error{border-left-color:var(--error)}
dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr));gap:.5rem 1rem;margin:.5rem 0}
dt{color:var(--muted);font-size:.85rem}dd{margin:0}
.scroll{overflow-x:auto;overflow-wrap:normal}
table{border-collapse:collapse;width:100%;font-size:.9rem}
th,td{text-align:left;padding:.2rem .6rem .2rem 0;border-bottom:1px solid var(--line);vertical-align:top}
td.n,th.n{width:1%;text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}
.timeline td:last-child,.timeline th:last-child{width:45%;min-width:7rem;padding-right:0}
.timeline .step td:nth-child(2),.timeline .tool td:nth-child(2),.timeline .request td:nth-child(2){padding-left:1.2rem}
.track{position:relative;height:1.1rem}
.bar{position:absolute;top:.2rem;height:.7rem;min-width:3px;border-radius:2px;background:var(--bar)}
.tool .bar,.request .bar{opacity:.75}
pre{margin:.3rem 0;padding:.7rem;border-radius:.3rem;white-space:pre-wrap;overflow-wrap:anywhere;font:.85rem/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;background:var(--raised)}
pre.stream{background:#16191f;color:#e4e7ec;max-height:32rem;overflow:auto}
.reasons pre{border-left:.25rem solid var(--fail)}
.command{user-select:all}
summary{cursor:pointer;padding:.25rem 0;font-weight:600}
.names{columns:14rem;list-style:none;padding:0;font:.85rem/1.5 ui-monospace,monospace;overflow-wrap:anywhere}
.bold{font-weight:700}.dim{color:#a3abb8}.italic{font-style:italic}.underline{text-decoration:underline}.ib{color:#16191f}.iw{background:#e4e7ec}
${palette}
@media print{pre.stream{max-height:none}}
`.trim()
