// What sort of thing the answer is, so that it can be picked out of a line.
export type Wants = 'number' | 'person' | 'place' | 'date' | 'reason' | 'colour' | 'title' | 'value' | 'sentence'

export function wantsOf(question: string): Wants {
  for (const [pattern, wants] of rules) if (pattern.test(question)) return wants
  return 'sentence'
}

const rules: [RegExp, Wants][] = [
  [
    /\b(title|heading|headline|name) of (the|this|that|each|every) (slide|page|screen|sign)|\b(titles|headings)\b|\bwhat (is|was) the (title|heading|headline)\b|\bslide titled\b/i,
    'title',
  ],
  [/\bhow (many|much|old|tall|long|far|high|deep|fast|heavy|big|large|wide|hot|cold|late|early)\b/i, 'number'],
  [
    /\b(what|which) (is|was|are|were)?\s*(the|her|his|its|their)?\s*([\w-]+ )?(number|price|cost|score|temperature|speed|percentage|amount|distance|height|weight|age|code|pin|year|total|length|floor|gate|platform)\b/i,
    'number',
  ],
  [
    /\b(what|which) (room|floor|gate|platform|page|chapter|bus|flight|channel) (is|does|do|was|should|number)\b/i,
    'number',
  ],
  [/\bwhat colou?r\b|\bwhich colou?r\b/i, 'colour'],
  [
    /^(who|whom|whose)\b|\b(whose name|name of the (person|man|woman|speaker|host|author|director|doctor|teacher))\b/i,
    'person',
  ],
  [/^where\b|\b(what|which) (city|country|town|place|state|street|building|location|village|continent)\b/i, 'place'],
  [/\b(what|which) (day|date|month|time|weekday|season|year)\b|^when\b/i, 'date'],
  [/^why\b|\b(what|for what|which) (is the |was the )?(reason|cause|purpose)\b/i, 'reason'],
  [
    /^(what|which)('s| is| was| are| were)\b|\bname of\b|^what (does|do|did) .* (call|name|want|need|like|cost|contain|sell|eat|drink|buy)\b/i,
    'value',
  ],
]
