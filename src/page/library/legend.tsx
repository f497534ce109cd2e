import { tracks } from './state.tsx'

// What the letters on the cards stand for. Who hears the page is told by each card.
export function Legend() {
  return (
    <ul class="legend dim small" aria-label="Signs on the cards">
      {tracks.map(([track, letter, word]) => (
        <li key={track}>
          <span class={`mark ${track} indexed`}>{letter}</span> {word}
        </li>
      ))}
      <li>
        <span class="mark" /> not looked at
      </li>
      <li>
        <span class="mark failed">s</span> failed
      </li>
    </ul>
  )
}
