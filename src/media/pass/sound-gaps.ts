import { roundTime, type Span } from '../../core/time.ts'
import { sampleRate } from '../audio.ts'

const kinds = { gap: 1, left: 2, begin: 3 } as const
const minGap = 1 // seconds; smaller gaps are filled by ffmpeg

// How far silence may stretch a sound: an hour, what was heard so far, and a second for each kilobyte of the file.
export function silenceAllowed(fileBytes: number): number {
  return 3600 + Math.floor(fileBytes / 1000)
}

// Filters that close each gap of more than a second and say on stderr where it was. What would need more silence than is allowed is left out.
// Registers: 0 the time up to which there is sound, 1 silence so far, 2 heard so far, 3 whether leaving out has been said.
export function closeGaps(first: string, allowed: number): string {
  const gap = `(t-(${first})-ld(0))`
  const length = '(samples_n/sample_rate)'
  const say = (kind: number) => `0*print(${kind},16)+0*print(ld(0),16)+0*print(t-(${first}),16)`
  const take = `0*st(1,ld(1)+max(0,${gap}))+0*st(2,ld(2)+${length})+0*st(0,max(ld(0),t-(${first})+${length}))+0*st(3,0)+1`
  const isGap = `gt(${gap},${minGap})`
  const fits = `lte(ld(1)+${gap},${allowed}+ld(2))`
  const keep = `if(isnan(t),1,if(${fits},if(${isGap},${say(kinds.gap)},0)+${take},if(ld(3),0,${say(kinds.left)}+0*st(3,1))))`
  // Filters begin again where the sound changes its rate or channels.
  const begin = `0*if(eq(n,0),print(${kinds.begin},16)+print(0,16)+print(0,16),0)`
  const from = `(T-(${first})-ld(0))`
  // The same gaps once more, taken off the clock. Register 1: how much has been taken off.
  const closed = `if(isnan(T),PTS,0*if(gt(${from},${minGap}),st(1,ld(1)+${from}),0)+0*st(0,max(ld(0),T-(${first})+NB_SAMPLES/SR))+PTS-(${first}+ld(1))/TB)`
  return `aselect='${begin}+${keep}',asetpts='${closed}'`
}

// What such filters said, and the sound with its gaps filled again, so that the n-th sample is n/16000 seconds after the start.
export class SoundGaps {
  readonly gaps: Span[] = []
  leftOut: Span | undefined // the first sound that was too far away: where sound ended, and where it would have gone on
  #numbers: number[] = []
  #begun = 0 // how often the filters did
  #taken = 0 // gaps that have been filled
  #closed = 0 // samples that have come
  #filled = 0 // samples of silence

  // True for a line that these filters wrote.
  line(text: string): boolean {
    const number = /^(?:\[Eval @ [^\]]*\] )?\[error\] (-?\d+\.\d+)$/.exec(text)
    if (!number) return false
    this.#numbers.push(Number(number[1]))
    if (this.#numbers.length < 3) return true
    const [kind, start = 0, end = 0] = this.#numbers.splice(0)
    const span = { start: roundTime(start), end: roundTime(end) }
    if (kind === kinds.begin) this.#begun++
    else if (kind === kinds.left) this.leftOut ??= span
    // What filters that began again miss before them has come already.
    else if (start > 0 || this.#begun < 2) this.gaps.push(span)
    return true
  }

  async *fill(sound: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const pcm of sound) {
      // ffmpeg says where a gap was before it writes what comes after it. One round of the event loop reads all that has been written.
      await nextRound()
      await nextRound()
      yield* this.#withSilence(pcm)
    }
  }

  *#withSilence(pcm: Uint8Array): Generator<Uint8Array> {
    let rest = pcm
    for (let gap = this.gaps[this.#taken]; gap; gap = this.gaps[this.#taken]) {
      const before = Math.max(0, Math.round(gap.start * sampleRate) - this.#filled - this.#closed)
      if (before * 2 >= rest.length) break
      if (before > 0) yield rest.subarray(0, before * 2)
      rest = rest.subarray(before * 2)
      this.#closed += before
      const silence = Math.round((gap.end - gap.start) * sampleRate)
      for (let samplesLeft = silence; samplesLeft > 0; samplesLeft -= block.length / 2)
        yield block.subarray(0, Math.min(samplesLeft * 2, block.length))
      this.#filled += silence
      this.#taken++
    }
    this.#closed += rest.length / 2
    yield rest
  }
}

const block = new Uint8Array(64 * 1024)

function nextRound(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
