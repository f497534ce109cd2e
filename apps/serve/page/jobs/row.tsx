import { useSignal } from '@preact/signals'
import type { Job } from '../../../../src/core/api/job.ts'
import { isOver } from '../../../../src/core/api/job-state.ts'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import { stageStateTitle, stageTitle } from '../../../../src/core/words/stage-title.ts'
import { formatTime } from '../../../../src/core/words/time-text.ts'
import { Text } from '../../../../src/page/text.tsx'
import { type Address, api } from '../api.ts'
import { liveJobs } from '../live.ts'
import { formatDate, formatSeconds } from '../parts/format.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import { StateChip } from '../parts/state-chip.tsx'
import { Log } from './log.tsx'
import { computePace, computeTimeLeft, type JobStage, leftText } from './progress.ts'

export function JobRow({ job }: { job: Job }) {
  const { video, state, error, stages } = job
  const interrupted = error?.code === 'interrupted'
  return (
    <li class="job panel">
      <div class="head">
        <StateChip of={interrupted ? 'interrupted' : state} />
        <h2>
          {job.kind === 'ask' ? <Text of={job.question?.text ?? ''} /> : 'Index'}{' '}
          {job.library ? (
            <Text of={video.name} />
          ) : (
            <a href={pageAddress('video', { video: video.id })}>
              <Text of={video.name} />
            </a>
          )}
        </h2>
        <p class="dim small times">{formatTimes(job)}</p>
        <JobActs job={job} />
      </div>
      {error && !interrupted && (
        <p class="small wrong">
          <Text of={error.message} /> {error.hint !== undefined && <Text of={error.hint} class="dim" />}
        </p>
      )}
      {interrupted && <p class="small dim">The server stopped during this job. Finished steps are kept.</p>}
      {!isOver(state) && stages.length > 0 && <StageTable stages={stages} />}
      {isOver(state) && job.index && <p class="small dim">{describeIndex(job.index)}</p>}
    </li>
  )
}

function formatTimes(job: Job): string {
  const { created, started, ended, state, doing, video } = job
  const secondsLeft = computeTimeLeft(job)
  if (state === 'waiting') return `since ${formatDate(created)}, ${formatTime(video.duration)} long`
  if (isOver(state) && !started) return ended ? formatDate(ended) : '' // it never had its turn
  if (!ended || !started)
    return (
      [doing && stageTitle(doing), secondsLeft !== undefined && `${leftText(secondsLeft)} left`]
        .filter(Boolean)
        .join(', ') || 'starting'
    )
  return `${formatDate(ended)}, took ${formatSeconds((Date.parse(ended) - Date.parse(started)) / 1000)}`
}

function describeIndex({ stages, duration, seconds }: NonNullable<Job['index']>): string {
  const of = (state: string) => [
    ...new Set(stages.filter(stage => stage.state === state).map(({ stage }) => stageTitle(stage))),
  ]
  const doneStages = of('done')
  const failed = of('failed')
  const speed = doneStages.length > 0 && seconds > 0 ? `, ${(duration / seconds).toFixed(1)} × real time` : ''
  const summary = doneStages.length === 0 ? 'Already indexed' : `Done: ${doneStages.join(', ')}${speed}`
  return `${summary}${failed.length > 0 ? `; failed: ${failed.join(', ')}` : ''}.`
}

function JobActs({ job }: { job: Job }) {
  const { id, state, goOn, run } = job
  const showsLog = useSignal(false)
  const busy = useSignal(false)
  const error = useSignal<Error | undefined>(undefined)
  const act = (work: () => Promise<unknown>) => async () => {
    busy.value = true
    error.value = undefined
    await work().catch(reason => {
      error.value = reason
    })
    busy.value = false
  }
  return (
    <>
      <div class="acts">
        {run !== undefined && <a href={pageAddress('run', { run })}>Run</a>}
        {goOn !== undefined && !isResumed(job) && (
          <button type="button" class="small" disabled={busy.value} onClick={act(() => resumeJob(job, goOn))}>
            Resume
          </button>
        )}
        {!isOver(state) && (
          <button
            type="button"
            class="small"
            disabled={busy.value}
            onClick={act(() => api('DELETE /jobs/:job', { params: { job: id } }))}
          >
            Cancel
          </button>
        )}
        <button
          type="button"
          class="small quiet"
          aria-expanded={showsLog.value}
          onClick={() => {
            showsLog.value = !showsLog.value
          }}
        >
          Log
        </button>
      </div>
      {error.value && <ProblemNotice error={error.value} />}
      {showsLog.value && <Log job={id} />}
    </>
  )
}

// Somebody resumed it already.
function isResumed({ id, kind, run, video, created }: Job): boolean {
  return [...liveJobs.value.values()].some(
    other =>
      other.id !== id &&
      other.created > created &&
      other.kind === kind &&
      other.state !== 'failed' &&
      other.state !== 'cancelled' &&
      (kind === 'index' ? other.video.id === video.id : run !== undefined && other.run === run),
  )
}

// The request that the server names, with the question where it is asked again.
async function resumeJob({ kind, question, session, budget, graph, video, run }: Job, request: string): Promise<void> {
  const resume = 'POST /runs/:run/resume' satisfies Address
  if (request.endsWith('/resume') && run !== undefined) await api(resume, { params: { run } })
  else if (kind === 'index') await api('POST /videos/:video/index', { params: { video: video.id } })
  else if (question)
    await api('POST /videos/:video/ask', {
      params: { video: video.id },
      body: { question: question.text, options: question.options, session, budget, graph },
    })
}

// Each stage of an indexing as a bar in seconds of media.
function StageTable({ stages }: { stages: readonly JobStage[] }) {
  return (
    <table class="stages">
      <caption class="hidden-text">Stages of the indexing</caption>
      <thead class="hidden-text">
        <tr>
          <th>Stage</th>
          <th>Done</th>
          <th>Seconds of media</th>
          <th>Speed</th>
          <th>Left</th>
        </tr>
      </thead>
      <tbody>
        {stages.map(stage => (
          <StageRow key={stage.stage} stage={stage} />
        ))}
      </tbody>
    </table>
  )
}

function StageRow({ stage }: { stage: JobStage }) {
  const { state, done = 0, total, note } = stage
  const over = state !== 'running' && state !== 'waiting'
  const pace = computePace(stage)
  const share = over ? 1 : total ? Math.min(1, done / total) : 0
  return (
    <tr class={state}>
      <td>{stageTitle(stage.stage)}</td>
      <td class="bar">
        {state === 'skipped' ? (
          <Text of={note ?? ''} class="dim small" />
        ) : (
          <progress value={share} aria-label={stageTitle(stage.stage)} />
        )}
      </td>
      <td class="number">
        {state !== 'running' && stageStateTitle(state)}
        {state === 'running' && total !== undefined && `${formatTime(done)} / ${formatTime(total)}`}
      </td>
      <td class="number dim">{pace && `${pace.times < 10 ? pace.times.toFixed(1) : Math.round(pace.times)} ×`}</td>
      <td class="number dim">{pace?.left !== undefined && `${leftText(pace.left)} left`}</td>
    </tr>
  )
}
