// One item: the answer first, then the key, then the verdict.
export const itemScript = `
const work = { item: undefined, isSeen: false, answered: undefined, clues: [], sure: undefined, seconds: 0, panel: undefined, busy: false };
countSeconds(() => work.item);
const filter = () => ({ ...($('kind').value && { kind: $('kind').value }), ...($('flagged').checked && { flagged: true }) });
const next = () => during(async () => show(await store.next(filter())));
const undo = () => during(async () => show(await store.undo()));
// Others write questions while nothing is left here.
if (isServed) setInterval(() => {
  if (document.hidden || work.item) return;
  void during(async () => {
    const step = await store.next(filter());
    if (step.item) show(step);
  });
}, 5000);
function show({ item, done, left, total }) {
  $('progress').textContent = done + ' done, ' + left + ' left for you, ' + total + ' in the set';
  closePanel();
  const before = item && item.before;
  Object.assign(work, { item, isSeen: false, seconds: before ? before.seconds : 0, answered: before && before.answered, sure: before && before.confidence });
  work.clues = (before && before.clues) || [];
  Object.assign(player, { begun: undefined, marks: [...work.clues] });
  $('work').hidden = !item;
  $('time').textContent = '';
  video.pause();
  if (!item) return tell(left > 0 ? 'Nothing is left with this filter.' : 'Nothing is left for you. Thank you.');
  tell('');
  openVideo(item.video);
  $('about').textContent = shown(item.kind + ' · ' + item.video);
  $('turns').replaceChildren(...item.turns.map(turn => make('li', {}, turn)));
  $('question').textContent = shown(item.question);
  $('answer').hidden = item.options !== undefined;
  $('answer').value = work.answered || '';
  $('options').replaceChildren(...(item.options || []).map((option, at) => {
    const button = make('button', { type: 'button' }, (at + 1) + '. ' + option);
    button.addEventListener('click', () => choose(at));
    return make('li', {}, button);
  }));
  $('key').hidden = true;
  $('see').hidden = false;
  drawChoice();
  drawMarks();
  seek(0);
  if (before) see();
  else document.activeElement.blur();
}
function drawChoice() {
  [...$('options').querySelectorAll('button')].forEach((button, at) => {
    button.className = [work.item.options[at] === work.answered && 'chosen', work.isSeen && at === work.item.key.right && 'right'].filter(Boolean).join(' ');
    button.setAttribute('aria-pressed', String(work.item.options[at] === work.answered));
  });
}
function choose(at) {
  if (work.isSeen || !work.item.options || at >= work.item.options.length) return;
  work.answered = work.item.options[at];
  drawChoice();
}
function see() {
  if (work.isSeen || !work.item) return;
  if (!work.item.options) work.answered = $('answer').value.trim() || undefined;
  if (work.answered === undefined && !work.item.before) return tell('Answer first: the first answers are the human row of the set.', true);
  work.isSeen = true;
  work.clues = [...player.marks];
  Object.assign(player, { begun: undefined, marks: [] });
  const { key, flags, options } = work.item;
  $('right').textContent = shown((options ? (key.right + 1) + '. ' : '') + key.answer) + (key.clues.length > 0 ? ' — ' + key.clues.map(([start, end]) => stamp(start) + '–' + stamp(end)).join(', ') : '');
  $('flaglist').replaceChildren(...flags.map(flag => make('li', {}, flag)));
  $('more').replaceChildren(...key.more.flatMap(([name, text]) => [make('dt', {}, name), make('dd', {}, text)]));
  $('rows').replaceChildren(...key.rows.map(row => {
    const button = make('button', { type: 'button', className: row.cited ? 'cited' : '' }, stamp(row.start) + ' ' + row.text);
    button.addEventListener('click', () => seek(row.start));
    return make('li', {}, button);
  }));
  $('see').hidden = true;
  $('key').hidden = false;
  showEvents();
  drawChoice();
  drawMarks();
  drawSure();
  tell('');
  if (key.clues.length > 0) seek(key.clues[0][0]);
  const [cited] = $('rows').getElementsByClassName('cited');
  if (cited) $('rows').scrollTop = cited.offsetTop - $('rows').offsetTop;
}
function drawSure() {
  $('sure').textContent = work.sure === undefined ? 'How sure? 1 to 5' : 'How sure: ' + work.sure + ' of 5';
}
function openPanel(verdict) {
  if (!work.isSeen) return tell('See the key first (v).', true);
  work.panel = verdict;
  $('doing').textContent = verdict === 'fix' ? 'Fix: change what is wrong; intervals marked after the key (i, o) take the place of the clue' : 'Drop';
  const { question, options, key, before } = work.item;
  const was = (before && before.fixed) || {};
  const field = (name, text) => make('textarea', { name, rows: 2, value: text, title: name, ariaLabel: name });
  const fields = [field('question', was.question || question), ...(options ? (was.options && was.right === key.right ? was.options : options).map((option, at) => field('option ' + (at + 1), option)) : [field('answer', was.answer || key.answer)])];
  $('fields').replaceChildren(...(verdict === 'fix' ? fields : []));
  for (const box of $('reasons').querySelectorAll('input')) box.checked = Boolean(before && before.reasons && before.reasons.includes(box.value));
  $('note').value = (before && before.note) || '';
  if (verdict === 'fix' && was.clues) player.marks = [...was.clues];
  drawMarks();
  $('panel').hidden = false;
  $('panel').scrollIntoView({ block: 'nearest' });
}
function closePanel() {
  work.panel = undefined;
  $('panel').hidden = true;
}
function fixedNow() {
  const { question, options, key } = work.item;
  const values = [...$('fields').querySelectorAll('textarea')].map(one => one.value.trim());
  const [asked, ...others] = values;
  return {
    ...(asked !== question && { question: asked }),
    ...(options && others.some((other, at) => other !== options[at]) && { options: others, right: key.right }),
    ...(!options && others[0] !== key.answer && { answer: others[0] }),
    ...(player.marks.length > 0 && { clues: player.marks }),
  };
}
const say = verdict => during(async () => {
  if (!work.isSeen) return tell('See the key first (v).', true);
  const { item, answered, clues, sure } = work;
  const inPanel = verdict !== 'keep';
  const fixed = verdict === 'fix' ? fixedNow() : undefined;
  if (fixed && Object.keys(fixed).length === 0) return tell('Nothing is changed. Change something, or keep it.', true);
  const reasons = inPanel ? [...$('reasons').querySelectorAll('input:checked')].map(box => box.value) : [];
  const note = inPanel ? $('note').value.trim() : '';
  await store.say({
    item: item.id, itemHash: item.hash, seconds: work.seconds, verdict, reasons,
    ...(answered !== undefined && { answered }), ...(clues.length > 0 && { clues }), ...(sure !== undefined && { confidence: sure }),
    ...(note && { note }), ...(fixed && { fixed }), ...(Object.keys(work.marks).length > 0 && { events: work.marks }),
  });
  show(await store.next(filter()));
});
`
