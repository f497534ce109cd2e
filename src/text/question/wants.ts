// What sort of thing the answer is, so that it can be picked out of a line.
export type Wants =
  | 'number'
  | 'person'
  | 'place'
  | 'date'
  | 'reason'
  | 'colour'
  | 'title'
  | 'rhythm'
  | 'contact'
  | 'manner'
  | 'phrase'
  | 'value'
  | 'sentence'

export function parseWants(question: string): Wants {
  return rules.find(([pattern]) => pattern.test(question))?.[1] ?? 'sentence'
}

// Ordered: the first that fits wins.
const rules: [RegExp, Wants][] = [
  [
    /^(and |but |so )?how(\s*\?|$| (did|does|do|will|would|can|could|is|was|were|are) (?!many|much|often|long|far|old))/i,
    'manner',
  ],
  [/^(and |but |so )?what\b.*\b(for|with|by|about)\s*\?*$/i, 'phrase'],
  [
    /\b(title|heading|headline|name) of (the|this|that|each|every) ([\w-]+ )?(slide|page|screen|sign)|\b(titles|headings)\b|\bwhat (is|was) the (title|heading|headline)\b|\bslide titled\b/i,
    'title',
  ],
  [/\be-?mail\b|\b(web ?site|web address|url|phone|telephone)\b/i, 'contact'],
  [/\bhow (often|frequently)\b/i, 'rhythm'],
  [/\bhow (many|much|old|tall|long|far|high|deep|fast|heavy|big|large|wide|hot|cold|late|early)\b/i, 'number'],
  [
    /\b(what|which) (is|was|are|were)?\s*(the|her|his|its|their|our)?\s*([\w-]+ )?(number|price|cost|score|temperature|speed|percentage|amount|distance|height|weight|age|code|pin|year|total|length|budget|population)\b/i,
    'number',
  ],
  [
    /\b(what|which) (room|floor|gate|platform|page|chapter|bus|flight|channel|line) (is|does|do|was|should|number|will|can|did)\b/i,
    'number',
  ],
  [/\b(what|which) colou?r\b/i, 'colour'],
  [
    /^(who|whom|whose)\b|\b(whose name|name of the ([\w-]+ )?(person|man|woman|speaker|host|presenter|author|director|doctor|teacher|professor|captain|owner|winner|boy|girl|guest|artist|lecturer|inventor|sponsor))\b/i,
    'person',
  ],
  [
    /^(and |but |so )?where\b|\b(what|which) (city|country|town|place|state|street|building|location|village|continent|island|river|region)\b/i,
    'place',
  ],
  [/\b(what|which) (day|date|month|time|weekday|season)\b|^(and |but |so )?when\b/i, 'date'],
  [/^(and |but |so )?why\b|\b(what|for what|which) (is the |was the )?(reason|cause|purpose)\b/i, 'reason'],
  [
    /^(what|which)('s| is| was| are| were)\b|^(what|which) [\w-]+ (is|was|are|were|has|have)\b|\bname of\b|^what (does|do|did) .* (call|name|want|need|like|cost|contain|sell|eat|drink|buy)\b/i,
    'value',
  ],
]
