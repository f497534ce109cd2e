import { visibleText } from '../core/words/visible-text.ts'

// A text that came from a video, a file name or a model: marks that would hide or turn it are shown as signs, and its own direction
// is kept from turning what stands beside it.
export function Text({ of, class: name }: { of: string; class?: string }) {
  return (
    <bdi class={name} dir="auto">
      {visibleText(of)}
    </bdi>
  )
}
