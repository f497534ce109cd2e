// What the page of a study has beyond the page of runs.
export const studyStyle = `
:root { --even: #5b6675; }
@media (prefers-color-scheme: dark) { :root { --even: #9aa6b5; } }
.filters { margin: 14px 0 10px; }
.zero { stroke: var(--ink); stroke-width: 1; }
.behind { fill: var(--paper); opacity: .82; }
.thick { stroke-width: 4; stroke-linecap: butt; opacity: .55; }
.thin { stroke-width: 1.4; }
.worse.thick, .worse.thin { stroke: var(--red); } .better.thick, .better.thin { stroke: var(--green); } .even.thick, .even.thin { stroke: var(--even); }
.point.worse { fill: var(--red); } .point.better { fill: var(--green); } .point.even { fill: var(--even); }
svg text.figures { font-size: 11px; font-variant-numeric: tabular-nums; }
svg text.figures.worse { fill: var(--red); } svg text.figures.better { fill: var(--green); } svg text.figures.even { fill: var(--soft); }
.dot.row { fill: var(--blue-soft); stroke: var(--blue); opacity: .92; } .dot.base { fill: var(--ink); opacity: .92; }
svg text.number { font-size: 10px; fill: var(--ink); pointer-events: none; }
.dot.base + text.number { fill: var(--paper); }
.legend { columns: 210px; column-gap: 26px; overflow-wrap: anywhere; font-size: .78rem; color: var(--soft); margin: 6px 0 0; padding-left: 2.2em; }
.paper { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: 8px 14px; }
.wide td { white-space: nowrap; }
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
.cited { list-style: none; padding: 0; margin: 6px 0; font-size: .86rem; }
.cited li { border-left: 3px solid var(--blue); padding-left: 8px; margin: 4px 0; }
.trace li.alike { color: var(--soft); }
.trace li.parts { background: var(--amber-soft); border-radius: 4px; padding: 3px 6px; }
.parting { color: var(--amber); font-size: .88rem; font-weight: 600; }
`
