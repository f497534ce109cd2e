import { Text } from '../../../../src/page/text.tsx'

export function Notes({ notes }: { notes: readonly string[] }) {
  if (notes.length === 0) return null
  return (
    <ul class="notes" aria-label="Notes">
      {notes.map(note => (
        <li key={note}>
          <Text of={note} />
        </li>
      ))}
    </ul>
  )
}
