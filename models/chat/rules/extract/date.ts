import type { Topic } from '../../../../src/text/question/topic.ts'

// A day, a date, a time of day or a year that a line gives and the question does not.
export function dateIn(topic: Topic, text: string): string | undefined {
  const isInQuestion = (found: string) => topic.terms.some(term => found.toLowerCase().split(/\s+/).includes(term.text))
  return dates.map(pattern => pattern.exec(text)?.[0]).find(found => found !== undefined && !isInQuestion(found))
}

const months = 'january|february|march|april|may|june|july|august|september|october|november|december'
const numberWord =
  '(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen|twenty|thirty|forty|fifty|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|twelfth|oh|hundred)'
const numberWords = `${numberWord}(?:[ -]${numberWord})*`
const days = '(?:mon|tues|wednes|thurs|fri|satur|sun)day'

const dates = [
  new RegExp(
    String.raw`\b(?:(?:on )?(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?|${numberWords})(?: of)? )?(?:${months})\b(?: (?:the )?(?:\d{1,2}(?:st|nd|rd|th)?\b(?!\d)|${numberWords}))?(?:,? \d{4})?`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:on |every |next |last )?${days}s?(?: (?:morning|afternoon|evening|night))?(?: at (?:\d[\d:.]*|noon|[a-z]+(?: thirty| fifteen| o'?clock)?)(?: ?[ap]\.?m\.?)?)?`,
    'i',
  ),
  new RegExp(
    String.raw`\b(?:at )?\d{1,2}(?:[:.]\d{2})? ?(?:[ap]\.?m\b\.?|o'?clock|hours)|\b\d{1,2}:\d{2}\b|\bat (?:(?:half|quarter) (?:past|to) )?${numberWord}(?:[ -](?:${numberWord}|o'?clock))*(?: (?:in the (?:morning|afternoon|evening)|[ap]\.? ?m\.?))?|\b(?:at )?(?:noon|midnight)\b`,
    'i',
  ),
  /\b(?:in (?:the year )?)?(?:1[0-9]|20)\d{2}\b/,
  new RegExp(String.raw`\bin (?:eighteen|nineteen|twenty) ${numberWords}`, 'i'),
  /\b(?:tomorrow|today|yesterday|tonight|next (?:week|month|year)|last (?:week|month|year)|in (?:spring|summer|autumn|winter))\b/i,
]

// Whether a text is a date rather than a place: "on June twelfth".
export function isDate(text: string): boolean {
  return new RegExp(
    String.raw`\b(?:${months}|${days}|noon|midnight|morning|evening|afternoon|night|o'?clock)\b|\d|\b(?:${numberWord}) ?(?:thirty|fifteen)?$`,
    'i',
  ).test(text)
}
