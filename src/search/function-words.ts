import { frameWords } from '../text/question/topic.ts'
import { isStopWord, stem } from '../text/words.ts'

// Words without a meaning of their own, in the language that most of them say a query is in. In any other a row could be found for an
// article, and a name would be a small share of the question about it.
export function functionWords(words: readonly string[]): (word: string) => boolean {
  const count = (isFunctionWord: (word: string) => boolean) => words.filter(isFunctionWord).length
  const english = count(isStopWord)
  const [other] = otherLanguages.map(has => ({ has, count: count(has) })).sort((a, b) => b.count - a.count)
  return other && other.count > Math.max(1, english) ? other.has : isStopWord
}

// "mentioned" of "Where in the video is Emrys mentioned?": if no row holds it, it says how to answer and not what is looked for.
export function isFrameWord(word: string): boolean {
  return frameWords.has(stem(word)) || otherFrames.has(word)
}

const otherLanguages = [
  `der die das den dem des ein eine einen einem einer eines und oder aber nicht kein keine keinen ist sind war waren wird werden wurde
  hat haben hatte kann können muss soll will er sie es wir ihr ich man sich sein seine seinen seiner ihre ihren ihrer mein meine unser
  unsere von vom zu zum zur in im an am auf aus bei beim mit nach vor für über um durch bis als wie wenn dass ob so auch nur noch schon
  was wer wen wem wo wann warum wieso woher wohin welche welcher welches welchen hier da dort dieser diese dieses gibt
  ohne gegen seit zwischen unter hinter neben weil doch mehr sehr jetzt dann alle viel`,
  `le la les un une des du de et ou mais ne pas est sont était a ont avait être avoir il elle ils elles on nous vous je tu se ce cette ces
  son sa ses leur leurs mon ma mes notre que qui quoi où quand comment pourquoi quel quelle quels quelles dans en à au aux sur sous par
  pour avec sans plus y très aussi c d j l m n qu s cest jai nest quest quil quelle quon sest dun dune estce
  depuis jusque chez entre vers comme si tout tous toute bien ni car`,
  `el la los las un una unos unas de del al y o pero no es son era fue ha han había ser estar está él ella ellos yo se su sus mi lo le les
  que qué quién quiénes cuándo dónde cómo cuál cuánto cuántos por para con sin en a sobre entre más muy también como si este esta ese esa hay
  hasta desde hacia cuando donde como ya ni todo todos toda todas tan porque`,
  `il lo la i gli le un uno una di del della dei delle dello e o ma non è sono era ha hanno essere avere egli lei loro io si suo sua suoi
  che chi cosa quando dove come perché quale quali quanto in nel nella a al alla da dal dalla per con su sul sulla anche più molto questo questa c d l
  fino verso tra fra come se ne ci già tutto tutti tutta`,
].map(words => {
  const set = new Set(words.split(/\s+/))
  return (word: string) => set.has(word)
})

const otherFrames = new Set(
  `gesagt sagt sagen spricht sprechen gesprochen redet geredet erwähnt erzählt kommt vorkommt sprecher stelle rede
  dit dire parle parler parlé question mentionné raconte vidéo dice dicho decir habla hablar menciona mencionado cuenta vídeo
  detto dice dire parla parlato parlare racconta`.split(/\s+/),
)
