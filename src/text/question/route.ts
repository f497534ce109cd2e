// What sort of question it is. The route decides what is searched for and which hints the planner gets; it never narrows the tools.
const routes = ['fact', 'when', 'count', 'order', 'summary', 'on-screen', 'sound', 'compare', 'presence'] as const
export type QuestionRoute = (typeof routes)[number]

export function chooseRoute(question: string, options: readonly string[] = []): QuestionRoute {
  const text = question.toLowerCase()
  return rules.find(([pattern]) => pattern.test(text))?.[1] ?? (looksLikeOrder(options) ? 'order' : 'fact')
}

// Ordered: the first that fits wins.
const rules: [RegExp, QuestionRoute][] = [
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

function looksLikeOrder(options: readonly string[]): boolean {
  return options.length > 1 && options.every(option => (option.match(/->|→|,|;|\bthen\b/g) ?? []).length >= 2)
}
