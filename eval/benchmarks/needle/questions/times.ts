import { formatTime, type Span } from '../../../../src/core/time.ts'
import { pick } from '../deck.ts'
import { soundNames } from '../story.ts'
import { type Dealer, rivals } from './dealer.ts'
import type { Draft } from './draft.ts'

const slack = 3 // seconds

export function when(dealer: Dealer, nth: number): Draft {
  const { random, onceHeard } = dealer
  if (nth % 2 === 0) {
    const { sound, span } = pick(onceHeard, random)
    return moment(dealer, `When is the ${soundNames[sound]} heard?`, `The ${soundNames[sound]} is heard`, span, 'audio')
  }
  const slide = dealer.slides.draw()
  return moment(dealer, `When is the slide "${slide.title}" shown?`, `The slide is shown`, slide.span, 'visual')
}

function moment(
  { story, random }: Dealer,
  question: string,
  lead: string,
  span: Span,
  modality: 'audio' | 'visual',
): Draft {
  const right = formatTime(span.start)
  const far = Array.from({ length: 40 }, () => random() * story.duration)
    .filter(time => Math.abs(time - span.start) > Math.max(15, story.duration / 20))
    .map(formatTime)
  return {
    question,
    answer: `${lead} at ${right}.`,
    expect: { form: 'moment', spans: [span], slack },
    right: `at ${right}`,
    wrong: rivals(right, [], far, 3, random).map(time => `at ${time}`),
    clues: [span],
    modalities: [modality],
  }
}

export function beforeAfter(dealer: Dealer, nth: number): Draft {
  return nth % 2 === 0 ? neighbourSlide(dealer) : signAfterSound(dealer)
}

function neighbourSlide({ story: { slides }, random }: Dealer): Draft {
  const after = random() < 0.5
  const at = Math.floor(random() * (slides.length - 1)) + (after ? 0 : 1)
  const [asked, found] = [slides[at], slides[after ? at + 1 : at - 1]]
  const wrong = rivals(
    found.title,
    slides.filter(slide => slide !== asked).map(slide => slide.title),
    [],
    3,
    random,
  )
  return {
    question: `Which slide is the ${after ? 'next one after' : 'last one before'} the slide "${asked.title}"?`,
    answer: `The slide "${found.title}" comes ${after ? 'after' : 'before'} it.`,
    expect: { form: 'words', groups: [[found.title]], rivals: wrong },
    right: found.title,
    wrong: wrong.length === 3 ? wrong : [...wrong, asked.title],
    clues: [asked.span, found.span],
    modalities: ['visual'],
  }
}

function signAfterSound({ story: { signs }, onceHeard, random }: Dealer): Draft {
  const pairs = onceHeard.flatMap(heard => {
    const before = signs.filter(sign => sign.span.end <= heard.span.start).at(-1)
    const after = signs.find(sign => sign.span.start >= heard.span.end)
    return [
      ...(before ? [{ heard, sign: before, word: 'last sign shown before' }] : []),
      ...(after ? [{ heard, sign: after, word: 'first sign shown after' }] : []),
    ]
  })
  const { heard, sign, word } = pick(pairs, random)
  const text = `${sign.place} ${sign.name}`
  const wrong = rivals(
    text,
    signs.map(other => `${other.place} ${other.name}`),
    [],
    3,
    random,
  )
  return {
    question: `What is written on the ${word} the ${soundNames[heard.sound]} is heard?`,
    answer: `The sign says ${text}.`,
    expect: { form: 'words', groups: [[text]], rivals: wrong },
    right: text,
    wrong,
    clues: [heard.span, sign.span],
    modalities: ['audio', 'visual'],
  }
}
