// One spelling for letters that writers and keyboards use for each other. It knows no language, so it folds only what is the same
// letter wherever it stands: "İstanbul", "ISTANBUL" and "ıstanbul", "STRASSE" and "straße", "ΟΔΟΣ" and "οδός", "كِتَاب" and "كتاب".
export function foldLetters(word: string): string {
  if (ascii.test(word)) return word.toLowerCase()
  return word
    .normalize('NFKC')
    .toLowerCase()
    .replace(unwritten, '')
    .replace(/i\u0307/g, 'i')
    .replace(/[\u0370-\u03ff\u1f00-\u1fff]+/g, withoutTonos)
    .replace(/[ıßςёأإآٱىیېکةھہ]/g, letter => alternatives[letter] ?? letter)
    .replace(/\p{Nd}/gu, asciiDigit)
}

const ascii = /^[\0-\x7f]*$/

// Soft hyphens, joiners, tatweel, and the vowel points of Arabic and Hebrew, which most writers leave out.
const unwritten =
  /\u00ad|\u0640|\u200b|\u200c|\u200d|\u2060|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u05f3\u05f4\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed]/g

const alternatives = Object.fromEntries(
  'ıi ßss ςσ ёе أا إا آا ٱا ىي یي ېي کك ةه ھه ہه'.split(' ').map(([letter, ...others]) => [letter, others.join('')]),
)

function withoutTonos(greek: string): string {
  return greek
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/ς/g, 'σ')
}

// The first digit of each script whose digits are in daily use.
const zeros = [
  0x0660, 0x06f0, 0x07c0, 0x0966, 0x09e6, 0x0a66, 0x0ae6, 0x0b66, 0x0be6, 0x0c66, 0x0ce6, 0x0d66, 0x0de6, 0x0e50,
  0x0ed0, 0x0f20, 0x1040, 0x17e0, 0x1810,
]

function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0
  const zero = zeros.find(one => code >= one && code < one + 10)
  return zero === undefined ? digit : String(code - zero)
}
