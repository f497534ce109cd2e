import type { Topic } from '../../../src/text/question/topic.ts'

const colours = new Set(
  'red green blue yellow orange purple violet pink brown black white grey gold silver turquoise beige cyan magenta'.split(
    ' ',
  ),
)

// Whether a question is about colours and nothing else: "when is the screen blue?"
export function isColours(topic: Topic): boolean {
  const telling = topic.terms.filter(
    term => !/^(background|bright|dark|light|mostly|all|turn|whole|entire|colou?r)/.test(term.text),
  )
  return telling.length > 0 && telling.every(term => colours.has(term.text))
}
