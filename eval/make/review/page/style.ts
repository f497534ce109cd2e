export const reviewStyle = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #dfe4ea; --paper: #fff; --back: #f4f6f8; --blue: #2f6fb2; --blue-soft: #cfe0f1;
  --green: #1f7a4d; --red: #b3392c; --amber-soft: #fbeecb; --amber: #8a6100; }
@media (prefers-color-scheme: dark) { :root { --ink: #e5e9ef; --soft: #9aa6b5; --line: #333c48; --paper: #1b212a; --back: #12161c; --blue: #6ea8e0; --blue-soft: #2a4464;
  --green: #6fcf9f; --red: #f08a7d; --amber-soft: #40330f; --amber: #e5bd5a; } }
* { box-sizing: border-box; } [hidden] { display: none !important; }
body { margin: 0; background: var(--back); color: var(--ink); font: 15px/1.45 system-ui, "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
header { position: sticky; top: 0; z-index: 1; display: flex; flex-wrap: wrap; gap: 4px 12px; align-items: center; padding: 6px 12px; background: var(--paper); border-bottom: 1px solid var(--line); }
#progress { flex: 1; } #time { font-variant-numeric: tabular-nums; color: var(--soft); }
#status { margin: 8px 12px; } #status:empty { display: none; } #status.bad, #unplayed { background: var(--amber-soft); color: var(--amber); padding: 6px 10px; border-radius: 6px; }
main { display: grid; grid-template-columns: minmax(0, 3fr) minmax(0, 2fr); gap: 16px; padding: 12px; max-width: 1500px; margin: 0 auto; }
@media (max-width: 800px) { main { grid-template-columns: minmax(0, 1fr); } }
video, #still { width: 100%; max-height: 60vh; background: #000; object-fit: contain; display: block; }
#stills { display: flex; flex-wrap: wrap; gap: 4px; } #stills button { padding: 0; width: calc(12.5% - 4px); min-width: 44px; } #stills img { width: 100%; display: block; }
#line { position: relative; height: 22px; margin: 8px 0; background: var(--paper); border: 1px solid var(--line); border-radius: 4px; cursor: pointer; }
#marks div { position: absolute; top: 0; bottom: 0; min-width: 3px; background: var(--blue); opacity: .5; } #marks .clue { background: var(--green); } #marks .open { background: var(--amber); }
#head { position: absolute; top: -2px; bottom: -2px; width: 2px; background: var(--red); }
.bar { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; margin: 6px 0; } #clock { font-variant-numeric: tabular-nums; min-width: 9em; }
button, select, input, textarea { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; padding: 5px 10px; max-width: 100%; }
button { cursor: pointer; min-height: 34px; } textarea, #note { width: 100%; display: block; margin: 4px 0; }
:focus-visible { outline: 2px solid var(--blue); outline-offset: 1px; }
h1 { font-size: 1.15rem; margin: 4px 0 10px; } h2 { font-size: 1rem; margin: 14px 0 4px; } #turns { color: var(--soft); margin: 4px 0; } #turns:empty { display: none; } #about { color: var(--soft); margin: 0; }
#options, #rows { list-style: none; padding: 0; margin: 0; } #options button, #eventlist button { width: 100%; text-align: left; margin: 2px 0; }
#options .chosen, #eventlist .chosen { background: var(--blue-soft); border-color: var(--blue); } #options .right { border-color: var(--green); border-width: 2px; color: var(--green); }
#rows { max-height: 14em; overflow: auto; border: 1px solid var(--line); border-radius: 6px; } #rows button { width: 100%; text-align: left; border: 0; border-radius: 0; } #rows .cited { border-left: 4px solid var(--green); }
#reasons { border: 1px solid var(--line); border-radius: 6px; margin: 6px 0; } #reasons label { display: inline-block; margin-right: 12px; }
dl { margin: 6px 0; } dt { font-weight: 600; } dd { margin: 0 0 4px; white-space: pre-wrap; }
#keys dl { display: grid; grid-template-columns: auto 1fr; gap: 2px 14px; } dialog { color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 10px; max-width: 34rem; }
`
