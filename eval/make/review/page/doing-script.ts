// One thing at a time, and everything by keyboard as by buttons.
export const doingScript = `
async function during(doing) {
  if (work.busy) return;
  work.busy = true;
  try { await doing(); } catch (error) { tell(error.message, true); } finally { work.busy = false; }
}
function countSeconds(counts) {
  setInterval(() => {
    if (document.hidden || !counts()) return;
    work.seconds++;
    $('time').textContent = stamp(work.seconds).replace(/\\.0$/, '');
  }, 1000);
}
function onKeys({ fields, inField, does }) {
  document.addEventListener('keydown', event => {
    if (event.target.matches(fields)) {
      if (event.key === 'Escape') event.target.blur();
      else if (!inField(event)) return;
      return event.preventDefault();
    }
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '?') {
      if ($('keys').open) $('keys').close();
      else $('keys').showModal();
      return event.preventDefault();
    }
    const isButtons = (event.key === 'Enter' || event.key === ' ') && event.target.matches('button, summary');
    if (!$('keys').open && !isButtons && does(event)) event.preventDefault();
  });
}
function onClicks(clicks) {
  for (const id in clicks) $(id).addEventListener('click', clicks[id]);
}
const help = () => $('keys').showModal();
`
