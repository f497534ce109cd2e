// The video or its stills, the time line and the intervals on it.
export const playerScript = `
const video = $('video');
const player = { about: undefined, plays: false, at: 0, begun: undefined, marks: [] };
const stamp = time => Math.floor(time / 60) + ':' + (time % 60).toFixed(1).padStart(4, '0');
const now = () => player.plays ? video.currentTime : player.at;
function seek(time) {
  const at = Math.min(Math.max(0, time), player.about.duration);
  player.at = at;
  if (player.plays) video.currentTime = at;
  else showStill(at);
  drawHead();
}
function stillAt(time) {
  if (isServed) return 'still/' + encodeURIComponent(player.about.id) + '/' + time.toFixed(1);
  const near = (best, one) => Math.abs(one[0] - time) < Math.abs(best[0] - time) ? one : best;
  return (player.about.stills || []).reduce(near, [Infinity, ''])[1];
}
function showStill(time) {
  const source = player.about.there && player.about.pictures ? stillAt(time) : '';
  $('still').hidden = source === '';
  if (source !== '') $('still').src = source;
}
function openVideo(id) {
  if (player.about && player.about.id === id) return;
  const about = given.videos.find(one => one.id === id);
  Object.assign(player, { about, plays: false, at: 0 });
  const tries = about.there && about.src !== undefined && video.canPlayType(about.type) !== '';
  if (tries) {
    player.plays = true;
    video.hidden = false;
    $('unplayed').hidden = $('still').hidden = true;
    $('stills').replaceChildren();
    video.src = about.src;
  } else cannotPlay();
}
function cannotPlay() {
  const { about } = player;
  player.plays = false;
  video.removeAttribute('src');
  video.hidden = true;
  $('unplayed').hidden = false;
  const pictures = about.there && about.pictures && (isServed || (about.stills || []).length > 0);
  $('unplayed').textContent = 'This browser cannot play ' + shown(about.id) + (about.there ? '' : ': the file is not there') + (pictures ? ': stills instead.' : '.');
  const times = Array.from({ length: 8 }, (_, at) => ((at + 0.5) * about.duration) / 8);
  $('stills').replaceChildren(...(pictures ? times : []).map(time => {
    const button = make('button', { type: 'button', title: stamp(time) }, make('img', { src: stillAt(time), alt: stamp(time) }));
    button.addEventListener('click', () => seek(time));
    return button;
  }));
  seek(0);
}
video.addEventListener('error', () => { if (video.hasAttribute('src')) cannotPlay(); });
for (const event of ['timeupdate', 'seeked', 'play', 'pause']) video.addEventListener(event, () => drawHead());
function drawHead() {
  $('head').style.left = (100 * now()) / player.about.duration + '%';
  $('clock').textContent = stamp(now()) + ' / ' + stamp(player.about.duration);
  $('play').textContent = player.plays && !video.paused ? 'Pause' : 'Play';
}
function drawMarks() {
  const bar = (kind, [start, end]) => {
    const made = make('div', { className: kind });
    made.style.left = (100 * start) / player.about.duration + '%';
    made.style.width = (100 * (end - start)) / player.about.duration + '%';
    return made;
  };
  const clues = work.isSeen ? work.item.key.clues : [];
  $('marks').replaceChildren(
    ...clues.map(clue => bar('clue', clue)),
    ...player.marks.map(mark => bar('own', mark)),
    ...(player.begun === undefined ? [] : [bar('open', [player.begun, player.begun])]),
  );
  $('intervals').textContent = [
    ...player.marks.map(([start, end]) => stamp(start) + '–' + stamp(end)),
    ...(player.begun === undefined ? [] : [stamp(player.begun) + '–']),
  ].join(', ');
}
const round = time => Math.round(time * 100) / 100;
function markIn() {
  player.begun = round(now());
  drawMarks();
}
function markOut() {
  const end = round(now());
  if (player.begun === undefined || end <= player.begun) return tell('An interval begins with i and ends later, with o.', true);
  if (player.marks.length === 5) return tell('Five intervals are the most.', true);
  player.marks.push([player.begun, end]);
  player.begun = undefined;
  drawMarks();
}
function markAway() {
  if (player.begun !== undefined) player.begun = undefined;
  else player.marks.pop();
  drawMarks();
}
function play() {
  if (!player.plays) return tell('There are only stills of this video.', true);
  if (video.paused) void video.play().catch(() => {});
  else video.pause();
}
$('line').addEventListener('click', event => {
  const { left, width } = $('line').getBoundingClientRect();
  seek((player.about.duration * (event.clientX - left)) / width);
});
const watching = {
  ' ': play, ArrowLeft: event => seek(now() - (event.shiftKey ? 5 : 1)), ArrowRight: event => seek(now() + (event.shiftKey ? 5 : 1)),
  i: markIn, o: markOut, x: markAway,
};
onClicks({
  back5: () => seek(now() - 5), back1: () => seek(now() - 1), on1: () => seek(now() + 1), on5: () => seek(now() + 5), play, in: markIn, out: markOut,
});
`
