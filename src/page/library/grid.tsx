import type { ComponentChildren } from 'preact'
import { type CardActs, FileCard, VideoCard } from './card.tsx'
import type { NewFile } from './folders.ts'
import { type Card, keyOf } from './shown.ts'

interface GridProps {
  cards: readonly Card[]
  acts: CardActs
  indexFile(file: NewFile): void
  children: ComponentChildren
}

// Cards that are out of sight are not laid out (content-visibility in library.css).
export function CardGrid({ cards, acts, indexFile, children }: GridProps) {
  return (
    <ul class="cards">
      {cards.map(card =>
        'video' in card ? (
          <VideoCard key={keyOf(card)} video={card.video} acts={acts} />
        ) : (
          <FileCard key={keyOf(card)} file={card.file} index={indexFile} />
        ),
      )}
      {children}
    </ul>
  )
}
