// Where items come from and verdicts go to: the server, or this page's own memory.
export const storeScript = `
const given = JSON.parse(document.querySelector('script[type="application/json"]').textContent);
const $ = id => document.getElementById(id);
const hidden = new RegExp(given.hidden, 'gu');
const shown = text => String(text).replace(hidden, sign => '⟨' + sign.codePointAt(0).toString(16).toUpperCase().padStart(2, '0') + '⟩');
function make(tag, properties, ...children) {
  const made = Object.assign(document.createElement(tag), properties);
  made.append(...children.map(child => typeof child === 'string' ? shown(child) : child));
  return made;
}
const isServed = given.mode === 'served';
const served = {
  async ask(name, body) {
    const reply = await fetch(name, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const said = await reply.json();
    if (!reply.ok) throw new Error(said.error.message + (said.error.hint ? ' ' + said.error.hint : ''));
    return said;
  },
  next: filter => served.ask('next', filter),
  say: said => served.ask('say', said),
  undo: () => served.ask('undo', {}),
};
const place = 'longtake review of ' + given.set + (given.reviewer ? ' by ' + given.reviewer : '');
const own = {
  lines: [],
  isSaved: true,
  keep() {
    own.isSaved = own.lines.length === 0;
    try { localStorage.setItem(place, JSON.stringify(own.lines)); } catch {}
  },
  holds: item => own.lines.find(line => line.item === item.id && line.itemHash === item.hash),
  marksLike({ video, key: { events }, before }) {
    const isAlike = other => other && other.video === video && other.key.events && other.key.events.of === events.of;
    const said = own.lines.filter(line => line.events && isAlike(given.items.find(item => item.id === line.item)));
    const known = ([event]) => events.list.includes(event);
    return [...said, ...(before ? [before] : [])].map(line => Object.fromEntries(Object.entries(line.events || {}).filter(known)));
  },
  step(item) {
    const done = given.items.filter(own.holds).length;
    const events = item && item.key.events;
    const marks = events && Object.assign({}, events.marks, ...own.marksLike(item));
    return { item: events ? { ...item, key: { ...item.key, events: { ...events, marks } } } : item, done, left: given.items.length - done, total: given.total };
  },
  async next({ kind, flagged }) {
    return own.step(given.items.find(item => !own.holds(item) && (!kind || item.kind === kind) && (!flagged || item.flags.length > 0)));
  },
  async say(said) {
    own.lines.push({ ...said, at: new Date().toISOString() });
    own.keep();
  },
  async undo() {
    const itemOf = line => given.items.find(item => item.id === line.item);
    const at = own.lines.findLastIndex(itemOf);
    if (at < 0) throw new Error('There is nothing to take back.');
    const [before] = own.lines.splice(at, 1);
    own.keep();
    return own.step({ ...itemOf(before), before });
  },
  save() {
    const reviewer = given.reviewer || $('name').value.trim();
    if (!/^[\\p{L}\\p{N}][\\p{L}\\p{N} ._-]{0,39}$/u.test(reviewer)) {
      $('name').focus();
      return tell('Write your name first: letters and digits.', true);
    }
    const text = own.lines.map(line => JSON.stringify({ reviewer, ...line }) + '\\n').join('');
    const link = make('a', { href: URL.createObjectURL(new Blob([text], { type: 'application/jsonl' })), download: 'verdicts-' + reviewer + '.jsonl' });
    link.click();
    own.isSaved = true;
    tell(own.lines.length + ' verdicts are in ' + link.download + '. Bring them back with: longtake bench review SET --import ' + link.download);
  },
};
if (!isServed) {
  try { own.lines = JSON.parse(localStorage.getItem(place) || '[]'); } catch {}
  own.isSaved = own.lines.length === 0;
  addEventListener('beforeunload', event => { if (!own.isSaved) event.preventDefault(); });
}
const store = isServed ? served : own;
function tell(text, isBad = false) {
  $('status').textContent = text;
  $('status').className = isBad ? 'bad' : '';
}
`
