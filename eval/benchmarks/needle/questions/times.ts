import { formatTime, type Span } from '../../../../src/core/time.ts'
import { pick } from '../../../data/deck.ts'
import { countedSoundNames } from '../story.ts'
import { type Dealer, phraseAmong, type QuestionDraft, seenAt } from './dealer.ts'

export function when(dealer: Dealer, nth: number): QuestionDraft {
  if (nth % 2 === 0) {
    const { sound, span } = pick(dealer.onceHeard, dealer.random)
    const name = countedSoundNames[sound]
    return moment(dealer, `When is the ${name} heard?`, `The ${name} is heard`, span, 'audio')
  }
  const { title, span } = dealer.slides.draw()
  return moment(dealer, `When is the slide "${title}" shown?`, 'The slide is shown', span, 'visual')
}

function moment(
  { story, random, rivals }: Dealer,
  question: string,
  lead: string,
  span: Span,
  modality: 'audio' | 'visual',
): QuestionDraft {
  const right = formatTime(span.start)
  const far = Array.from({ length: 40 }, () => random() * story.duration)
    .filter(time => Math.abs(time - span.start) > Math.max(15, story.duration / 20))
    .map(formatTime)
  return {
    question,
    answer: `${lead} at ${right}.`,
    expect: { form: 'moment', spans: [span], slack: 3 },
    right: `at ${right}`,
    wrong: rivals(right, [], far).map(time => `at ${time}`),
    clues: [span],
    modalities: [modality],
  }
}

export function beforeAfter(dealer: Dealer, nth: number): QuestionDraft {
  return nth % 2 === 0 ? neighbourSlide(dealer) : signAfterSound(dealer)
}

function neighbourSlide({ story: { slides }, random, rivals }: Dealer): QuestionDraft {
  const after = random() < 0.5
  const at = Math.floor(random() * (slides.length - 1)) + (after ? 0 : 1)
  const askedSlide = slides[at]!
  const nextSlide = slides[after ? at + 1 : at - 1]!
  const otherTitles = slides.filter(slide => slide !== askedSlide).map(slide => slide.title)
  const wrong = rivals(nextSlide.title, otherTitles)
  return {
    question: `Which slide is the ${after ? 'next one after' : 'last one before'} the slide "${askedSlide.title}"?`,
    answer: `The slide "${nextSlide.title}" comes ${after ? 'after' : 'before'} it.`,
    ...phraseAmong(nextSlide.title, wrong),
    wrong: wrong.length === 3 ? wrong : [...wrong, askedSlide.title],
    ...seenAt(askedSlide, nextSlide),
  }
}

function signAfterSound({ story: { signs }, onceHeard, random, rivals }: Dealer): QuestionDraft {
  const pairs = onceHeard.flatMap(heard => {
    const before = signs.filter(sign => sign.span.end <= heard.span.start).at(-1)
    const after = signs.find(sign => sign.span.start >= heard.span.end)
    return [
      ...(before ? [{ heard, sign: before, word: 'last sign shown before' }] : []),
      ...(after ? [{ heard, sign: after, word: 'first sign shown after' }] : []),
    ]
  })
  const { heard, sign, word } = pick(pairs, random)
  const texts = signs.map(({ place, name }) => `${place} ${name}`)
  const text = `${sign.place} ${sign.name}`
  return {
    question: `What is written on the ${word} the ${countedSoundNames[heard.sound]} is heard?`,
    answer: `The sign says ${text}.`,
    ...phraseAmong(text, rivals(text, texts)),
    clues: [heard.span, sign.span],
    modalities: ['audio', 'visual'],
  }
}
