import type { ComponentChildren } from 'preact'
import { type CardActs, type FileActs, FileCard, VideoCard } from './card.tsx'
import { cardKey, type LibraryCard } from './list-library.ts'

interface GridProps {
  cards: readonly LibraryCard[]
  acts: CardActs
  fileActs: FileActs
  children: ComponentChildren
}

// Cards that are out of sight are not laid out (content-visibility in library.css).
export function CardGrid({ cards, acts, fileActs, children }: GridProps) {
  return (
    <ul class="cards">
      {cards.map(card =>
        'video' in card ? (
          <VideoCard key={cardKey(card)} video={card.video} acts={acts} />
        ) : (
          <FileCard key={cardKey(card)} file={card.file} acts={fileActs} />
        ),
      )}
      {children}
    </ul>
  )
}
