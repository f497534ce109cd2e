import type { Answer, Votes } from '../../src/core/agent.ts'
import { parseJsonText } from '../../src/core/json.ts'
import { contentWords } from '../../src/text/terms.ts'
import { coverage } from '../../src/text/word-similarity.ts'
import { askModel } from '../asking/ask-model.ts'
import { verdictOn } from '../asking/judge.ts'
import { Choice, chooseRequest, sameRequest } from '../prompts/verifier.ts'
import type { AgentSession } from '../session.ts'
import type { Ballot } from '../state.ts'

type Settled = Required<Pick<Votes, 'outcome' | 'taken' | 'reason'>>

// Which of the answers stands: the one that all agree on, else the one that the verifier finds borne out, else the one that most gave.
export async function settleVotes(session: AgentSession, ballots: readonly Ballot[]): Promise<Settled> {
  const groups = await grouped(session, ballots)
  const [first = [], ...others] = groups.map(group =>
    group.toSorted((a, b) => sureness(ballots, b) - sureness(ballots, a)),
  )
  if (others.length === 0) return { outcome: 'agreed', taken: 0, reason: `${ballots.length} runs said the same` }
  const heads = [first, ...others].map(([best = 0]) => best)
  const chosen = await chooseBetween(
    session,
    heads.flatMap(at => ballots[at] ?? []),
  )
  const chosenBallot = chosen && heads[chosen.answer - 1]
  if (chosen && chosenBallot !== undefined)
    return { outcome: 'settled', taken: chosenBallot, reason: chosen.reason.slice(0, 300) }
  const most = Math.max(...groups.map(group => group.length))
  const largest = groups.flatMap((group, i) => (group.length === most ? [heads[i] ?? 0] : []))
  const [only = 0, tied] = largest
  if (tied !== undefined) return { outcome: 'split', taken: 0, reason: 'nothing decided between the answers' }
  return { outcome: 'settled', taken: only, reason: `${most} of ${ballots.length} runs said so` }
}

// Places of ballots that say the same.
async function grouped(session: AgentSession, ballots: readonly Ballot[]): Promise<number[][]> {
  const groups: number[][] = []
  for (const [at, { answer }] of ballots.entries()) {
    let home: number[] | undefined
    for (const group of groups) {
      const other = ballots[group[0] ?? 0]
      home ??= other && (await saysTheSame(session, other.answer, answer)) ? group : undefined
    }
    if (home) home.push(at)
    else groups.push([at])
  }
  return groups
}

async function saysTheSame(session: AgentSession, a: Answer, b: Answer): Promise<boolean> {
  const { question, verifier } = session.parts
  if (a.choice !== undefined || b.choice !== undefined) return a.choice === b.choice
  if (a.abstained || b.abstained) return a.abstained === b.abstained
  const [one, other] = [spoken(a), spoken(b)]
  if (one === other) return true
  if (!verifier.accepts.has('text')) return holdsWords(one, other) && holdsWords(other, one)
  return (await verdictOn(session, () => sameRequest(question.text, one, other)))?.verdict === 'supported'
}

async function chooseBetween(session: AgentSession, ballots: readonly Ballot[]) {
  const { verifier, question } = session.parts
  if (!verifier.accepts.has('text') || !session.meter.mayAsk()) return undefined
  const answers = ballots.map(({ answer }) => ({
    text: answer.text,
    rows: session.ledger.rows([...new Set(answer.sentences.flatMap(({ cites }) => cites))]).slice(0, mostRows),
  }))
  const questionText = [question.text, ...(question.options ?? []).map((option, i) => `${i}: ${option}`)].join('\n')
  const reply = await askModel(session, 'verifier', () => chooseRequest(questionText, answers))
  return Choice.safeParse(parseJsonText(reply?.text ?? '')).data
}

const mostRows = 24 // of one answer

// Without the times that are added to it.
function spoken({ sentences }: Answer): string {
  return sentences.map(({ text }) => text).join(' ')
}

function holdsWords(one: string, other: string): boolean {
  return coverage(contentWords(one), other) >= 0.75
}

function sureness(ballots: readonly Ballot[], at: number): number {
  return ballots[at]?.answer.confidence ?? 0
}
