// Of every page; no address may stand in it.
export const reportStyle = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #dfe4ea; --paper: #ffffff; --back: #f4f6f8;
  --blue: #2f6fb2; --blue-soft: #cfe0f1; --green: #1f7a4d; --green-soft: #d9f0e4; --red: #b3392c; --red-soft: #f9dfdb; --amber: #8a6100; --amber-soft: #fbeecb; }
@media (prefers-color-scheme: dark) { :root { --ink: #e5e9ef; --soft: #9aa6b5; --line: #333c48; --paper: #1b212a; --back: #12161c;
  --blue: #6ea8e0; --blue-soft: #2a4464; --green: #6fcf9f; --green-soft: #163a29; --red: #f08a7d; --red-soft: #4a211c; --amber: #e5bd5a; --amber-soft: #40330f; } }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
#page { max-width: 1180px; margin: 0 auto; padding: 24px 20px 80px; }
nav { margin-bottom: 12px; color: var(--soft); }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 0; }
h2 { font-size: 1.2rem; margin: 36px 0 10px; }
h4 { font-size: .95rem; margin: 0 0 6px; }
p { margin: 6px 0; }
.facts, small, .below, .label { color: var(--soft); }
.facts { font-size: .88rem; }
.note { background: var(--amber-soft); color: var(--amber); padding: 6px 10px; border-radius: 6px; font-size: .88rem; }
.error { background: var(--red-soft); color: var(--red); padding: 6px 10px; border-radius: 6px; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(170px, 1fr)); gap: 12px; margin: 18px 0; }
.card { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: 12px 14px; }
.card .value { font-size: 1.6rem; font-weight: 600; font-variant-numeric: tabular-nums; line-height: 1.3; }
.card .below, .card .label { font-size: .82rem; }
.charts { columns: 420px 2; column-gap: 12px; }
figure { margin: 0 0 12px; break-inside: avoid; background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: 12px 14px; }
figcaption small { display: block; font-weight: 400; }
figcaption { font-weight: 600; margin-bottom: 6px; font-size: .92rem; }
svg { display: block; width: 100%; height: auto; }
@media (max-width: 520px) { figure { overflow-x: auto; } figure svg { min-width: 450px; } }
svg text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: var(--ink); }
svg text.tick { fill: var(--soft); font-size: 11px; }
.bar { fill: var(--blue); opacity: .75; }
.dot { fill: var(--blue); opacity: .7; }
svg text.value { font-size: 10.5px; } svg text.strong { font-weight: 700; } svg text.deep { fill: #ffffff; }
.papers figure.whole { column-span: all; }
.grid { stroke: var(--line); stroke-width: 1; }
.whisker { stroke: var(--ink); stroke-width: 1.2; }
.chance { stroke: var(--red); stroke-width: 1.5; stroke-dasharray: 3 3; }
details.table { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; margin: 12px 0; padding: 0 14px; }
details.table > summary { padding: 10px 0; font-weight: 600; cursor: pointer; }
details.table > .facts:last-child { margin-bottom: 12px; }
.wide { overflow-x: auto; padding-bottom: 10px; }
table { border-collapse: collapse; font-size: .88rem; width: 100%; font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th, td { text-align: left; padding: 5px 14px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody th { font-weight: 500; min-width: 6.2em; }
thead th { color: var(--soft); font-weight: 500; white-space: nowrap; }
td.number { text-align: right; }
.own { font-weight: 700; }
.filters { display: flex; flex-wrap: wrap; gap: 8px; margin: 14px 0 10px; }
select, input, button { font: inherit; color: var(--ink); background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: 6px 10px; max-width: 100%; }
input { flex: 1 1 220px; }
button { margin: 12px 0; cursor: pointer; }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 2px; }
details.row { background: var(--paper); border: 1px solid var(--line); border-radius: 8px; margin: 6px 0; }
details.row > summary { display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: baseline; padding: 8px 12px; cursor: pointer; list-style: none; }
details.row > summary::-webkit-details-marker { display: none; }
.id { color: var(--soft); font-size: .82rem; font-variant-numeric: tabular-nums; }
.question { flex: 1 1 300px; }
.badges { display: flex; flex-wrap: wrap; gap: 4px; }
.badge { font-size: .78rem; border-radius: 999px; padding: 1px 9px; white-space: nowrap; }
.badge.right { background: var(--green-soft); color: var(--green); }
.badge.wrong { background: var(--red-soft); color: var(--red); }
.badge.open { background: var(--amber-soft); color: var(--amber); }
td.right, li.right { color: var(--green); font-weight: 600; }
td.wrong { color: var(--red); }
.sample { padding: 4px 14px 14px; border-top: 1px solid var(--line); }
.options { list-style: none; padding: 0; margin: 8px 0; }
.turn { color: var(--soft); }
.ask { margin-top: 14px; padding-top: 10px; border-top: 1px dashed var(--line); }
.answer { font-weight: 500; white-space: pre-wrap; }
.evidence, .trace { list-style: none; padding: 0; margin: 8px 0; }
.evidence li { display: flex; gap: 12px; padding: 5px 0; align-items: flex-start; }
.evidence li.seen { color: var(--soft); font-size: .88rem; padding: 2px 0; }
.evidence li.cited { border-left: 3px solid var(--blue); padding-left: 10px; }
.evidence img { border-radius: 6px; flex: none; height: auto; max-width: 40%; }
.span { font-variant-numeric: tabular-nums; color: var(--blue); white-space: nowrap; }
.trace li { padding: 3px 0; font-size: .86rem; }
.outcome.found { color: var(--green); } .outcome.failed, .outcome.refused { color: var(--red); }
.grade { margin-top: 8px; }
.sample details summary { cursor: pointer; color: var(--soft); font-size: .86rem; }
pre { white-space: pre-wrap; background: var(--back); padding: 8px 10px; border-radius: 6px; font-size: .84rem; max-height: 24em; overflow: auto; margin: 6px 0; }
q { quotes: "“" "”"; }
.zero { stroke: var(--ink); stroke-width: 1; }
.behind { fill: var(--paper); opacity: .82; }
.thick { stroke-width: 4; stroke-linecap: butt; opacity: .55; }
.thin { stroke-width: 1.4; }
.worse.thick, .worse.thin { stroke: var(--red); } .better.thick, .better.thin { stroke: var(--green); } .even.thick, .even.thin { stroke: var(--soft); }
.point.worse { fill: var(--red); } .point.better { fill: var(--green); } .point.even { fill: var(--soft); }
svg text.figures { font-size: 11px; font-variant-numeric: tabular-nums; }
svg text.figures.worse { fill: var(--red); } svg text.figures.better { fill: var(--green); } svg text.figures.even { fill: var(--soft); }
.dot.row { fill: var(--blue-soft); stroke: var(--blue); opacity: .92; } .dot.base { fill: var(--ink); opacity: .92; }
svg text.number { font-size: 10px; fill: var(--ink); pointer-events: none; }
.dot.base + text.number { fill: var(--paper); }
.legend { columns: 210px; column-gap: 26px; overflow-wrap: anywhere; font-size: .78rem; color: var(--soft); margin: 6px 0 0; padding-left: 2.2em; }
.paper { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: 8px 14px; }
.study .wide td { white-space: nowrap; }
.heatmap { width: auto; font-size: .8rem; }
.heatmap th, .heatmap td { padding: 4px 8px; border: 1px solid var(--paper); }
.heatmap thead th { writing-mode: vertical-rl; transform: rotate(180deg); text-align: left; vertical-align: bottom; padding: 8px 4px; }
.heatmap tbody th { white-space: nowrap; position: sticky; left: 0; background: var(--paper); z-index: 1; }
.heatmap td { text-align: center; min-width: 3.1em; }
.heat.none, .heat.base { background: var(--back); color: var(--soft); }
.heat.down1 { background: #fbe6e2; color: #7a2419; } .heat.down2 { background: #f3bdb4; color: #641a10; } .heat.down3 { background: #e0897c; color: #3d0d07; } .heat.down4 { background: #b3392c; color: #fff; }
.heat.up1 { background: #e0f2e8; color: #14573a; } .heat.up2 { background: #b3dfc6; color: #0d432b; } .heat.up3 { background: #74bf96; color: #062617; } .heat.up4 { background: #1f7a4d; color: #fff; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 14px; }
@media (max-width: 720px) { .sides { grid-template-columns: 1fr; } }
.side { background: var(--back); border-radius: 8px; padding: 10px 12px; min-width: 0; }
.side .trace { list-style: decimal; padding-left: 1.6em; }
ul.cited { list-style: none; padding: 0; margin: 6px 0; font-size: .86rem; }
ul.cited li { border-left: 3px solid var(--blue); padding-left: 8px; margin: 4px 0; }
.trace li.alike { color: var(--soft); }
.trace li.parts { background: var(--amber-soft); border-radius: 4px; padding: 3px 6px; }
.parting { color: var(--amber); font-size: .88rem; font-weight: 600; }
@media print { details.row > summary { break-inside: avoid; } .filters, button { display: none; } }
`
