// What sort of question it is. The route decides which policies hold and what the planner is told; it never narrows the tools.
export const routes = [
  'fact',
  'when',
  'count',
  'order',
  'summary',
  'on-screen',
  'sound',
  'compare',
  'presence',
] as const
export type Route = (typeof routes)[number]

export function routeOf(question: string, options: readonly string[] = []): Route {
  const text = question.toLowerCase()
  return rules.find(([pattern]) => pattern.test(text))?.[1] ?? (looksLikeOrder(options) ? 'order' : 'fact')
}

// One line for the planner about how such questions are answered best.
export function routeAdvice(route: Route): string {
  return advice[route]
}

// Ordered: the first that fits wins.
const rules: [RegExp, Route][] = [
  [
    /\b(in (what|which) order|sequence of|chronological|comes? first|(happens?|appears?|shown|said|mentioned) first|first,? .+ or )/,
    'order',
  ],
  [
    /\b(summar(y|i[sz]e)|sums? up|overview|(which|what) (topics|subjects|themes)|gist|main (idea|topic|point)s?|(is|are|was) (this|the) (video|clip|film|recording|talk|lecture)s? about|key points)/,
    'summary',
  ],
  [/\b(how many|how often|number of times|count (the|how|all))\b/, 'count'],
  [/\b(compare|difference between|more than|less than|similarit)/, 'compare'],
  [
    /^(when|at (what|which) (time|moment|point|second|minute|timestamp))\b|\bwhat timestamp|\bhow (long|far) into\b/,
    'when',
  ],
  [
    /\b(written|sign|slide|caption|on[- ]?screen|on the screen|title|banner|label|headline|whiteboard|subtitle|text)\b/,
    'on-screen',
  ],
  [/\b(sound|noise|music|beep|heard|hear|audio|applause|siren|bell|alarm)s?\b/, 'sound'],
  [
    /^(is|are|was|were|does|do|did|has|have|can) .*(mention|appear|shown?|visible|present|anywhere|at any|ever)\b|^(is|are|was|were) there\b/,
    'presence',
  ],
]

const advice: Record<Route, string> = {
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

function looksLikeOrder(options: readonly string[]): boolean {
  return options.length > 1 && options.every(option => (option.match(/->|→|,|;|\bthen\b/g) ?? []).length >= 2)
}
