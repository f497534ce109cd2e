// Whether the rules can read a text: they know English grammar only. Names and quotations in it may be of any language.
export function isEnglish(text: string): boolean {
  const unquoted = text.replace(/"[^"]*"|“[^”]*”|„[^“]*“|«[^»]*»/g, ' ').toLowerCase()
  const letters = unquoted.match(/\p{L}/gu)?.length ?? 0
  const latin = unquoted.match(/\p{Script=Latin}/gu)?.length ?? 0
  if (letters === 0) return true
  if (latin < letters / 2) return false
  const words = unquoted.match(/[\p{L}\p{M}]+/gu) ?? []
  const count = (list: ReadonlySet<string>) => words.filter(word => list.has(word)).length
  return count(foreign) <= count(english)
}

const english = new Set(
  `what who whom whose when where which why how the is are was were does do did has have had can could will would of to in on at
  with for from by and or not that this these those he she it they his her their its many much about after before during as an be
  a there if then says said show shows video tell describe list count name find summarize explain`.split(/\s+/),
)

// Words that open or join questions in the languages of most videos, and that no English sentence has.
const foreign = new Set(
  `wer wie wo warum welche welcher welches wann wem wen wessen wieviele woher wohin der das dem den ein eine einen einem ist sind war
  waren hat haben wird werden und oder nicht im vom zum zur auf für mit über bei nach sieht sagt zeigt qué quién quiénes cuándo cuándo
  dónde cuál cuáles cómo cuántos cuántas que quien cuando donde cual como el la los las un una unos del está están es son fue por para
  con se en qui quoi quand où pourquoi comment quel quelle quels quelles combien le les des du est sont dans avec une au aux elle il
  chi cosa dove perché quando quale quali quanti quante gli della nel di è sono che quem onde quais quantos quantas o os um uma são
  foi não em da dos das wat waar waarom welke hoeveel het een van zijn wordt en de kto co gdzie kiedy dlaczego jaki jaka ile jest
  vem vad hur när varför vilken ett är och kuka mikä missä milloin kim ne nerede nasıl kaç bir`.split(/\s+/),
)
