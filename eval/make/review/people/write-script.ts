// A question from nothing: what is written is checked by the server as it grows, and saved whole.
export const writeScript = `
const work = { isSeen: false, seconds: 0, isDirty: false, busy: false, asked: 0 };
const wrongs = Array.from({ length: given.negatives.max }, (_, at) => $('wrong' + (at + 1)));
const texts = [$('question'), $('answer'), ...wrongs];
countSeconds(() => true);
addEventListener('beforeunload', event => { if (work.isDirty) event.preventDefault(); });
const draftNow = () => ({
  video: $('which').value, type: $('type').value, question: $('question').value, answer: $('answer').value,
  negatives: wrongs.map(one => one.value.trim()).filter(Boolean), clues: player.marks, seconds: work.seconds,
});
let waiting;
function changed() {
  work.isDirty = true;
  clearTimeout(waiting);
  waiting = setTimeout(() => void check(), 250);
}
async function check() {
  const asked = ++work.asked;
  try {
    const { faults, doubts, set, spread } = await served.ask('check', draftNow());
    if (asked !== work.asked) return;
    const line = (className, { check, k, detail }) => make('li', { className }, 'K' + k + ' ' + check + ': ' + detail);
    const all = [...faults.map(one => line('bad', one)), ...doubts.map(one => line('doubt', one))];
    $('faults').replaceChildren(...(all.length > 0 ? all : [make('li', {}, 'Nothing is wrong that a check can see.')]));
    $('warnings').replaceChildren(...set.map(one => make('li', {}, one)));
    drawSpread(spread);
  } catch (error) { tell(error.message, true); }
}
function drawSpread({ deciles, lengths, kinds }) {
  const rows = [
    ['first clues, by tenths of their video', deciles.join(' ')],
    ['clues below 10 s, below 60 s, longer', [lengths.short, lengths.middle, lengths.long].join(' ')],
    ...Object.entries(kinds),
  ];
  $('spread').replaceChildren(...rows.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, String(value))]));
}
function show({ own, total, before }) {
  $('progress').textContent = own + ' by you, ' + total + ' in the set';
  texts.forEach(one => { one.value = ''; });
  Object.assign(player, { begun: undefined, marks: [] });
  work.seconds = 0;
  if (before) {
    Object.assign(work, { seconds: before.seconds });
    $('which').value = before.video;
    $('type').value = before.type;
    $('question').value = before.question;
    $('answer').value = before.answer;
    before.negatives.forEach((one, at) => { wrongs[at].value = one; });
    player.marks = [...before.clues];
  }
  $('time').textContent = '';
  openVideo($('which').value);
  drawMarks();
  drawType();
  document.activeElement.blur();
  void check();
  work.isDirty = before !== undefined;
}
function drawType() {
  const type = given.types.find(one => one.name === $('type').value);
  $('asks').textContent = type.kind + ': asks ' + type.asks;
}
const save = () => during(async () => {
  if (player.begun !== undefined) return tell('The interval that began at ' + stamp(player.begun) + ' is open: end it with o, or take it away with x.', true);
  const step = await served.ask('save', draftNow());
  show(step);
  tell('Saved.');
});
const undo = () => during(async () => {
  show(await served.ask('undo', {}));
  tell('Taken back: change it and save it again.');
});
const marking = doing => event => { tell(''); doing(event); changed(); };
const focus = one => () => one.focus();
const does = {
  ...watching, i: marking(markIn), o: marking(markOut), x: marking(markAway),
  g: focus($('which')), t: focus($('type')), q: focus($('question')), a: focus($('answer')), s: () => void save(), u: () => void undo(),
  ...Object.fromEntries(wrongs.map((one, at) => [at + 1, focus(one)])),
};
onKeys({
  fields: 'textarea, select',
  inField(event) {
    const isSaved = event.key === 'Enter' && event.ctrlKey;
    if (isSaved) void save();
    return isSaved;
  },
  does(event) {
    const isKnown = Object.hasOwn(does, event.key);
    if (isKnown) does[event.key](event);
    return isKnown;
  },
});
onClicks({ write: () => void save(), undo: () => void undo(), help, in: changed, out: changed });
for (const one of texts) one.addEventListener('input', changed);
$('which').append(...given.videos.map(({ id }) => make('option', { value: id }, id)));
$('which').addEventListener('change', () => {
  Object.assign(player, { begun: undefined, marks: [] });
  openVideo($('which').value);
  seek(0);
  drawMarks();
  changed();
});
$('type').append(...given.types.map(({ name }) => make('option', { value: name }, name)));
$('type').addEventListener('change', () => { drawType(); changed(); });
$('who').textContent = given.reviewer;
openVideo($('which').value);
seek(0);
void during(async () => show(await served.ask('state', {})));
`
