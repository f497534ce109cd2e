// Everything by keyboard, and the same by buttons.
export const keyScript = `
const does = {
  ...watching, v: see, k: () => void say('keep'), f: () => openPanel('fix'), d: () => openPanel('drop'), u: () => void undo(),
  e: nextEvent, t: () => sayEvent([...player.marks]), n: () => sayEvent('absent'),
};
const letters = 'abcdefghijklm';
function inPanel(event) {
  if (event.key === 'Escape') closePanel();
  else if (event.key === 'Enter') void say(work.panel);
  else if (/^Arrow|^ $/.test(event.key)) does[event.key](event);
  else if (letters.includes(event.key)) {
    const box = $('reasons').querySelectorAll('input')[letters.indexOf(event.key)];
    if (box) box.checked = !box.checked;
  } else return false;
  return true;
}
function onItem(event) {
  const digit = /^[1-8]$/.test(event.key) ? Number(event.key) : 0;
  if (digit > 0 && !work.isSeen) choose(digit - 1);
  else if (digit > 0 && digit < 6) {
    work.sure = digit;
    drawSure();
  } else if (event.key === 'Enter' && !work.isSeen) see();
  else if (Object.hasOwn(does, event.key)) does[event.key](event);
  else return false;
  return true;
}
onKeys({
  fields: 'textarea, input:not([type=checkbox]), select',
  inField(event) {
    const isSaid = event.key === 'Enter' && ((event.ctrlKey && work.panel) || event.target.id === 'note');
    if (isSaid) void say(work.panel);
    return isSaid;
  },
  does(event) {
    if (!work.item && event.key === 'u') void undo();
    return work.item && (work.panel ? inPanel(event) : onItem(event));
  },
});
onClicks({
  see, keep: () => void say('keep'), fix: () => openPanel('fix'), drop: () => openPanel('drop'), undo: () => void undo(),
  then: () => sayEvent([...player.marks]), never: () => sayEvent('absent'),
  say: () => void say(work.panel), close: closePanel, help, save: () => own.save(),
});
$('panel').addEventListener('submit', event => event.preventDefault());
$('kind').append(make('option', { value: '' }, 'every type'), ...given.kinds.map(kind => make('option', { value: kind }, kind)));
for (const id of ['kind', 'flagged']) $(id).addEventListener('change', () => { $(id).blur(); void next(); });
given.reasons.forEach((reason, at) => $('reasons').append(make('label', {}, make('input', { type: 'checkbox', value: reason }), ' ' + letters[at] + ' ' + reason)));
$('who').textContent = given.reviewer || '';
$('name').hidden = isServed || Boolean(given.reviewer);
$('save').hidden = isServed;
$('flags').hidden = !given.flagged;
void next();
`
