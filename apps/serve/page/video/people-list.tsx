import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { mergeSpans } from '../../../../src/core/basics/gaps.ts'
import type { Person, Recurring } from '../../../../src/core/people.ts'
import type { Span } from '../../../../src/core/time.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import type { PlayerClock } from '../player/clock.ts'
import { Citations, goToRow } from '../rows/citations.tsx'
import type { ShownRow } from '../rows/row-source.ts'

interface Going {
  clock: PlayerClock
  go(row: string): void
}

// Who is in the video, as far as its rows bear it out: names with what gives them, when each speaks and appears, and who is only
// described. Nothing where no voices, faces or captions are indexed.
export function PeopleList({
  video,
  clock,
  jump,
}: {
  video: VideoDetails
  clock: PlayerClock
  jump(row: ShownRow): void
}) {
  const { people = [], looks = [] } = video.people ?? {}
  if (people.length + looks.length === 0) return null
  const going = { clock, go: goToRow(video.id, jump) }
  return (
    <div class="people-list">
      {people.map(person => (
        <OnePerson key={person.id} person={person} {...going} />
      ))}
      {looks.length > 0 && (
        <p class="dim small">Described alike in several places, which may be one person or several:</p>
      )}
      {looks.map((looked, at) => (
        <Described key={looked.text} looked={looked} number={at + 1} {...going} />
      ))}
    </div>
  )
}

function OnePerson({ person, clock, go }: { person: Person } & Going) {
  const { label, names, descriptions, spans, unsure } = person
  return (
    <section>
      <h2>
        <Text of={label} />
      </h2>
      {names.map(({ name, how, evidence }) => (
        <p key={name}>
          <Text of={`"${name}": ${how}`} /> <Citations of={name} rows={evidence} go={go} />
        </p>
      ))}
      {descriptions.map(({ text, evidence }) => (
        <p key={text}>
          <Text of={text} /> <Citations of={text} rows={evidence} go={go} />
        </p>
      ))}
      {(['speaks', 'appears'] as const).map(what => (
        <Times
          key={what}
          what={what}
          spans={mergeSpans(
            spans.filter(span => span.what === what),
            pause,
          )}
          of={label}
          clock={clock}
        />
      ))}
      {unsure.map(({ text, evidence }) => (
        <p key={text} class="dim">
          Not sure: <Text of={text} /> <Citations of={text} rows={evidence} go={go} />
        </p>
      ))}
    </section>
  )
}

function Described({ looked, number, clock, go }: { looked: Recurring; number: number } & Going) {
  const { text, spans, evidence } = looked
  const name = `Person ${number}: ${text}`
  return (
    <section>
      <h2>
        <Text of={name} />
      </h2>
      <Times what="appears" spans={spans} of={name} clock={clock} />
      <p>
        Seen in <Citations of={name} rows={evidence.slice(0, maxShown)} go={go} />
        {evidence.length > maxShown && ` and ${evidence.length - maxShown} more`}
      </p>
    </section>
  )
}

const pause = 60 // seconds after which somebody speaks or appears anew
const maxShown = 12

function Times({ what, spans, of, clock }: { what: string; spans: readonly Span[]; of: string; clock: PlayerClock }) {
  if (spans.length === 0) return null
  return (
    <p>
      {what}{' '}
      {spans.slice(0, maxShown).map(({ start, end }) => (
        <button
          key={start}
          type="button"
          class="quiet row-time"
          aria-label={`${of} ${what} at ${formatTime(start)}`}
          onClick={() => clock.seek({ start, end })}
        >
          {formatTime(start)}
        </button>
      ))}
      {spans.length > maxShown && ` and ${spans.length - maxShown} more`}
    </p>
  )
}
