// The events that an answer rests on: of each, when it happens or that it is not there. What was said in another question stands already.
export const eventScript = `
const eventsNow = () => (work.item && work.item.key.events ? work.item.key.events.list : []);
function showEvents() {
  work.marks = work.item.key.events ? { ...work.item.key.events.marks } : {};
  work.event = Math.max(0, eventsNow().findIndex(event => work.marks[event] === undefined));
  drawEvents();
}
function drawEvents() {
  $('events').hidden = eventsNow().length === 0;
  $('eventlist').replaceChildren(...eventsNow().map((event, at) => {
    const mark = work.marks[event];
    const said = mark === undefined ? '' : mark === 'absent' ? ' — not in the video' : ' — ' + mark.map(([start, end]) => stamp(start) + '–' + stamp(end)).join(', ');
    const button = make('button', { type: 'button', className: at === work.event ? 'chosen' : '' }, event + said);
    button.setAttribute('aria-current', String(at === work.event));
    button.addEventListener('click', () => chooseEvent(at));
    return make('li', {}, button);
  }));
}
function chooseEvent(at) {
  work.event = at;
  drawEvents();
  const mark = work.marks[eventsNow()[at]];
  if (Array.isArray(mark)) seek(mark[0][0]);
}
function nextEvent() {
  if (work.isSeen && eventsNow().length > 0) chooseEvent((work.event + 1) % eventsNow().length);
}
function sayEvent(mark) {
  const event = eventsNow()[work.event];
  if (!work.isSeen || event === undefined) return;
  if (mark.length === 0) return tell('Mark an interval first: it begins with i and ends with o.', true);
  work.marks[event] = mark;
  Object.assign(player, { begun: undefined, marks: [] });
  drawMarks();
  tell('');
  const left = eventsNow().findIndex(one => work.marks[one] === undefined);
  if (left >= 0) work.event = left;
  drawEvents();
}
`
