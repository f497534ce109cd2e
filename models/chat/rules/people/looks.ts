// What people wear, as questions and models that see write it.

const colours =
  'red|green|blue|yellow|orange|purple|violet|pink|brown|black|white|gr[ea]y|gold|silver|turquoise|beige|cyan|magenta|blonde?|dark|auburn'

const garments = {
  hair: 'hair(?:ed)?',
  top: 'shirt|t-shirt|top|coat|jacket|sweater|pullover|jumper|blouse|hoodie|vest|dress|suit',
  trousers: 'trousers|pants|jeans|shorts|skirt',
  hat: 'hat|cap|helmet',
}

type GarmentKind = keyof typeof garments
export type Looks = Partial<Record<GarmentKind | 'sex', string>>

export const garmentKinds = Object.keys(garments) as GarmentKind[]

export const person =
  'person|man|woman|boy|girl|lady|gentleman|guy|child|somebody|someone|figure|player|worker|chef|presenter'
const shade = '(?:(?:dark|light|bright|pale)[ -])?'
const piece = `(?:(?:a|an|the|his|her|their)\\s+)?${shade}(?:${colours})[ -](?:${Object.values(garments).join('|')})`
const described = new RegExp(
  `\\b(?:(?:the|a|an)\\s+)?(?:${person}|one)\\s+(?:who (?:wears|wore|has|had)|who is (?:in|wearing)|in|with|wearing|dressed in)\\s+${piece}(?:\\s*,?\\s+(?:and|with|in)\\s+${piece}|\\s*,\\s*${piece})*`,
  'gi',
)

// A question without "the person in the green shirt and black trousers".
export function withoutClothes(question: string): string {
  return question.replace(described, ' ')
}

const worn = garmentKinds.map(
  part => [part, new RegExp(`\\b${shade}(${colours})[ -](?:${garments[part]})\\b`, 'i')] as const,
)

export function looksIn(text: string): Looks {
  const sex = /\b(?:(woman|girl|lady)|man|boy|guy|gentleman)\b/i.exec(text)
  const clothes = Object.fromEntries(
    worn.flatMap(([part, pattern]) => {
      const colour = pattern.exec(text)?.[1]?.toLowerCase()
      return colour ? [[part, colour.replace('gray', 'grey').replace('blonde', 'blond')]] : []
    }),
  )
  return { ...clothes, ...(sex && { sex: sex[1] ? 'woman' : 'man' }) }
}

// Which garment a question asks the colour of: "what colour is the coat of the person who waves".
export function partAsked(question: string): GarmentKind | undefined {
  const after = /\bcolou?rs?\b(.*)/i.exec(question)?.[1] ?? ''
  const mentions = garmentKinds.flatMap(part => {
    const at = after.search(new RegExp(`\\b(?:${garments[part]})\\b`, 'i'))
    return at < 0 ? [] : [{ part, at }]
  })
  return mentions.sort((a, b) => a.at - b.at)[0]?.part
}

// What is alike less half of what differs; a man is hardly a woman. What was not made out on one side says nothing.
export function likeness(looks: Looks, known: readonly Looks[]): number {
  const differ = looks.sex !== undefined && known.some(({ sex }) => sex !== undefined && sex !== looks.sex)
  return garmentKinds.reduce(
    (sum, part) => {
      const colours = known.flatMap(one => one[part] ?? [])
      const colour = looks[part]
      return sum + (!colour || colours.length === 0 ? 0 : colours.includes(colour) ? 1 : -0.5)
    },
    differ ? -2 : 0,
  )
}

const enough = 1.5
const ahead = 1 // of everybody else

// The one who is most like somebody; nobody if another one, who is not the same, is nearly as much so.
export function clearlyBest<Item>(
  items: readonly Item[],
  likenessOf: (item: Item) => number,
  isSame: (one: Item, other: Item) => boolean = () => false,
): Item | undefined {
  const [best, ...others] = items.map(item => ({ item, score: likenessOf(item) })).sort((a, b) => b.score - a.score)
  if (!best || best.score < enough) return undefined
  const next = others.find(({ item }) => !isSame(item, best.item))
  return best.score - (next?.score ?? 0) >= ahead ? best.item : undefined
}

const asksWhatIsHeld = /^what\b.*\b(?:holds?|holding|carry|carries|carrying)\b/i
const somebody = new RegExp(`\\b(?:${person}|\\p{Lu}\\p{Ll}+ \\p{Lu}\\p{Ll}+)\\b`, 'u')

// "What does the person in the garden hold": of a box it is not a question of sight.
export function asksHeld(question: string): boolean {
  return asksWhatIsHeld.test(question) && somebody.test(question)
}
