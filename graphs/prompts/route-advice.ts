import type { Route } from '../../src/text/question/route.ts'

// One line for the planner about how questions of a sort are answered best.
export const routeAdvice: Record<Route, string> = {
  fact: 'Search with the key words in one or two ways, then read the lines around the best hit.',
  when: 'Search for the words or the event; the answer is the span of the row that shows it.',
  count: 'Use timeline over the whole video and count distinct occurrences; a search shows only the best few.',
  order: 'Use timeline for each thing and compare the first times.',
  summary: 'Use overview, then timeline on the chapters; cover the beginning, the middle and the end.',
  'on-screen': 'Search the text track; use read_text on the span when the words look garbled.',
  sound: 'Search the sound track or list it with timeline; listen where it stays unclear.',
  compare: 'Gather evidence for both sides before you say which.',
  presence: 'Search in several ways and on every track before you say that it is not there.',
}
