// Encodings that subtitle files are found in, and what the letters beyond ASCII look like in the languages written with each.

interface SingleByte {
  label: string // as TextDecoder knows it
  chardet: string[] // as chardet names it
  languages: string[] // letters beyond ASCII, frequent ones first where the script has nothing else
  usual?: number // how much likelier than others before anything is read
  script?: RegExp // where the language is not written in Latin
}

const western = [
  'éèàêçùâîôûœëïÿü', // French
  'äüöß',
  'áóéíñúü¿¡', // Spanish
  'ãçáéíóõâêôúàü', // Portuguese
  'àèìòùéîó', // Italian
  'äöåéæø', // Swedish, Finnish, Danish, Norwegian
  'ðþæöáéíóúý', // Icelandic
  'àéèïëöüóç', // Dutch, Catalan
]
const central = ['łąęóśżćńź', 'íáěéřšýžčůúťďňó', 'áíéčšžýúľťňôäóďĺŕ', 'áéöóőüíúű', 'ăîâşţ', 'šćčžđ']
const baltic = ['ėšąžįųęčū', 'āīēšņļūžģčķ', 'äõüöšž']
const cyrillic = [
  'оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё',
  'оаиніевртслкдпмуязьбгчйхїжшюєщцфґ',
  'аоиетнрсвлкдпмузяъгбчйцжшщхюьф',
]
const greek = ['αοιετσνηυρπκλμςωγδβφχθξζψάέήίόύώϊϋΐΰ']
const hebrew = ['יולהאמברתשנםקדחפכעזטגצןסךףץ']
const arabic = ['اليمونرتبةعدسفهكقأحجشطصخإىذثءئضزغؤآظ', 'ايرندهمتوسبلشخزكفگقپعچحجآغصطذژضظثيى']
const thai = ['านรอกเงมลยวดทสตะปบคหแจพชขใไผโซธถฟศฉณญภษฮฝฏฐฆฎฌฑฒฬ']

export const singleByte: SingleByte[] = [
  { label: 'windows-1252', chardet: ['windows-1252', 'ISO-8859-1'], languages: western, usual: 0.05 },
  { label: 'windows-1250', chardet: ['windows-1250', 'ISO-8859-2'], languages: central },
  { label: 'iso-8859-2', chardet: ['ISO-8859-2'], languages: central },
  { label: 'windows-1254', chardet: ['windows-1254', 'ISO-8859-9'], languages: ['ıişüğçöâî'], usual: 0.08 },
  { label: 'windows-1257', chardet: ['windows-1257'], languages: baltic },
  { label: 'windows-1251', chardet: ['windows-1251'], languages: cyrillic, script: /\p{sc=Cyrillic}/u },
  { label: 'koi8-r', chardet: ['KOI8-R'], languages: cyrillic, script: /\p{sc=Cyrillic}/u },
  { label: 'koi8-u', chardet: ['KOI8-R'], languages: cyrillic, script: /\p{sc=Cyrillic}/u },
  { label: 'iso-8859-5', chardet: ['ISO-8859-5'], languages: cyrillic, script: /\p{sc=Cyrillic}/u },
  { label: 'ibm866', chardet: [], languages: cyrillic, script: /\p{sc=Cyrillic}/u },
  { label: 'x-mac-cyrillic', chardet: [], languages: cyrillic, script: /\p{sc=Cyrillic}/u },
  { label: 'windows-1253', chardet: ['windows-1253', 'ISO-8859-7'], languages: greek, script: /\p{sc=Greek}/u },
  { label: 'iso-8859-7', chardet: ['ISO-8859-7'], languages: greek, script: /\p{sc=Greek}/u },
  { label: 'windows-1255', chardet: ['windows-1255', 'ISO-8859-8'], languages: hebrew, script: /\p{sc=Hebrew}/u },
  { label: 'windows-1256', chardet: ['windows-1256'], languages: arabic, script: /\p{sc=Arabic}/u },
  { label: 'iso-8859-6', chardet: ['ISO-8859-6'], languages: arabic, script: /\p{sc=Arabic}/u },
  { label: 'windows-874', chardet: ['windows-874'], languages: thai, script: /\p{sc=Thai}/u },
]

interface MultiByte {
  label: string
  chardet: string
  frequent: RegExp // letters that every text of some length holds
  spaced?: boolean // words stand apart
}

const kana = String.raw`\u3041-\u3096\u30a1-\u30fc`
const marks = '、。「」！？，：；“”…（）'

export const multiByte: MultiByte[] = [
  {
    label: 'gb18030',
    chardet: 'GB18030',
    frequent: new RegExp(
      `[${marks}的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运吗谢呢吧啊请谁早晚见桥河]`,
    ),
  },
  {
    label: 'big5',
    chardet: 'Big5',
    frequent: new RegExp(
      `[${marks}的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日軍者意無力它與長把機十民第公此已工使情明性知全三又關點正業外將兩高間由問很最重並物手應戰向頭文體政美相見被利什二等產或新己制身果加西斯月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活爾更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直德資命山金指克許統區保至隊形社便空決治展馬科司五基眼書非則聽白卻界達光放強即像難且權思王象完設式色路記南品住告類求據程北邊死張該交規萬取拉格望覺術領共確傳師觀清今切院讓識候帶導爭運嗎謝呢吧啊請誰早晚橋河妳]`,
    ),
  },
  { label: 'shift_jis', chardet: 'Shift_JIS', frequent: new RegExp(`[${marks}${kana}]`) },
  { label: 'euc-jp', chardet: 'EUC-JP', frequent: new RegExp(`[${marks}${kana}]`) },
  {
    label: 'euc-kr',
    chardet: 'EUC-KR',
    spaced: true,
    frequent:
      /[이다는을의에가고하지한은로도를사기자어그나인서아대시들보해정리수일라있것주부스제전오장게원성과우면여소상무안유조말생거야니만요구신마선공세없연내경모문실않습까으위드동미화당네저야]/,
  },
]

// How well a text reads when decoded so, about -3 to 1: its letters are those of one language, its words are of one script, and no
// sign stands where only letters do.
export function scoreSingleByte(text: string, { languages, script }: SingleByte): number {
  const beyond = text.match(/[^\0-\x7f]/g) ?? []
  if (beyond.length === 0) return 0
  const best = Math.max(...languages.map(letters => lettersScore(beyond, letters, script !== undefined)))
  return best - faults(text, script) / beyond.length
}

function lettersScore(beyond: string[], letters: string, whole: boolean): number {
  let sum = 0
  for (const char of beyond) {
    if (quotes.test(char)) sum += 0.3
    else if (!/[\p{L}\p{M}]/u.test(char)) sum += letters.includes(char) ? 1 : -0.5
    else if (toneMarks.test(char)) sum += 0.7
    else {
      const at = letters.indexOf(char.toLowerCase())
      const capital = char !== char.toLowerCase() ? 0.92 : 1
      if (at < 0) sum -= 0.5
      else sum += capital * (1 - ((whole ? 0.7 : 0.3) * at) / letters.length)
    }
  }
  return sum / beyond.length
}

// Signs that stand in the same place of most code pages.
const quotes = /[\u00a0\u2013\u2014\u2018-\u201e\u2026\u2039\u203a«»–—…€№°]/
const toneMarks = /\p{M}|[\u0e30-\u0e3a\u0e40-\u0e4e]/u

function faults(text: string, script: RegExp | undefined): number {
  let faultCount = 3 * count(text, /[\ufffd\u0080-\u009f\ue000-\uf8ff]/g)
  faultCount += count(text, /\p{Ll}\p{Lu}/gu) // "пРИВЕТ"
  faultCount += count(text, /\p{L}[^\p{L}\p{M}\p{N}\p{P}\s\0-\x7f]+(?=\p{L})/gu) // "G¼ste"
  faultCount += count(text, /\p{L}[«»¿¡“”„]\p{L}/gu)
  if (!script) return faultCount
  const scriptSource = script.source
  faultCount += count(text, new RegExp(`[a-zA-Z](?=${scriptSource})|${scriptSource}(?=[a-zA-Z])`, 'gu'))
  if (script.test('ก'))
    faultCount += count(text, /(?<![\u0e01-\u0e4e])[\u0e30-\u0e3a\u0e47-\u0e4e]|[\u0e40-\u0e44](?![\u0e01-\u0e2e])/g)
  return faultCount
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}

const hangul = /[\uac00-\ud7a3]/

// The same for encodings with several bytes a letter; `certainty` is what chardet says, 0 to 1. Bytes of another encoding hardly ever
// give syllables of Hangul and nothing else.
// Chinese and Japanese have no spaces between words: Korean that is read as Chinese has them every two or three letters.
export function scoreMultiByte(text: string, { frequent, spaced = false }: MultiByte, certainty: number): number {
  const beyond = text.match(/[^\0-\x7f]/gu) ?? []
  if (beyond.length === 0) return 0
  const frequentShare = beyond.filter(char => frequent.test(char)).length / beyond.length
  const broken = count(text, /[\ufffd\u0080-\u009f\ue000-\uf8ff\uff61-\uff9f]/g) / beyond.length
  const apart = spaced ? 0 : count(text, /\p{sc=Han} (?=\p{sc=Han})/gu) / beyond.length
  const alike = spaced && beyond.every(char => hangul.test(char)) ? Math.min(0.9, 0.1 * beyond.length) : 0
  return Math.min(1, Math.max(certainty, 2 * frequentShare, alike)) - 3 * broken - 2 * apart
}
