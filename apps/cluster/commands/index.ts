import { type CommandSpec, commandsIn, earlierName, option } from '../../../src/cli/command.ts'
import { ndjsonOption } from '../../../src/cli/options.ts'

const workerCommand: CommandSpec = {
  name: 'worker',
  summary: 'Work for the cluster: fetch stages and questions that others have queued',
  details:
    'Ctrl-C or SIGTERM drains it: nothing new is begun, and what runs is given back. A second one ends it at once. With --json each job is one line.',
  options: [
    option('--slots list', 'what goes side by side, as cpu=2,gpu=1,net=8; otherwise what is found here'),
    option(
      '--only list',
      'only these stages, as speech,text; "ask" for questions, "make" for makings, "library" for its tables',
    ),
    option('--drain', 'end when nothing is left to be done'),
    option('--max-time time', 'drain after this time (3h50m)'),
    option('--metrics port', 'figures for Prometheus at this port, or ADDRESS:PORT'),
  ],
  examples: ['longtake cluster worker', 'longtake cluster worker --slots gpu=1 --only speech --drain --max-time 3h50m'],
  load: () => import('./worker.ts').then(it => it.worker),
}

const clusterCommand: CommandSpec = {
  name: 'cluster',
  summary: 'Set up, look at and steer work that several machines share',
  details: 'Needs LONGTAKE_CLUSTER (cluster.database) and LONGTAKE_STORE (cluster.store): docs/cluster/README.md.',
  commands: [
    ...commandsIn(() => import('./cluster.ts').then(it => it.clusterCommands), {
      init: {
        summary: 'Make the tables in the database, try the store, and print the line with which others join',
        details: 'Run it once, and after each update of longtake; what is there stays.',
        examples: ['longtake cluster init'],
      },
    }),
    workerCommand,
    ...commandsIn(() => import('./look.ts').then(it => it.clusterLookCommands), {
      status: {
        summary: 'Show queues, workers, requests, failures, and the bottleneck',
        examples: ['longtake cluster status', 'longtake cluster status --json | jq .waitReason'],
      },
    }),
    ...commandsIn(() => import('./index-queue.ts').then(it => it.clusterFollowCommands), {
      follow: {
        summary: 'Follow a request to its end, and report what has become of its videos as "index" does',
        arguments: [{ name: 'request', about: 'its id, or the beginning of it', kind: 'one', values: 'text' }],
        options: [ndjsonOption],
        examples: ['longtake cluster follow 3fa9c1d2'],
      },
    }),
    ...commandsIn(() => import('./cluster.ts').then(it => it.clusterCommands), {
      cancel: {
        summary: 'End a request; what is finished stays, and so does what others asked for',
        arguments: [{ name: 'request', about: 'its id, or the beginning of it', kind: 'one', values: 'text' }],
        examples: ['longtake cluster cancel 3fa9c1d2'],
      },
      failures: {
        summary: 'List what could not be made, and why',
        options: [option('--retry', 'try all of it again')],
        examples: ['longtake cluster failures', 'longtake cluster failures --retry'],
      },
      drain: {
        summary: 'Let a worker give back what it has begun, and end',
        arguments: [{ name: 'worker', about: 'its id, or the name of its machine', kind: 'one', values: 'text' }],
        examples: ['longtake cluster drain gpu1'],
      },
    }),
    ...commandsIn(() => import('./store.ts').then(it => it.clusterStoreCommands), {
      adopt: {
        summary: 'Make the rows again from the results in the store, after the database was lost or restored',
        details:
          'Every pack is read to its last byte. Exit code 6: some are damaged; they are named and stay, and are made again.',
        examples: ['longtake cluster adopt'],
      },
      cleanup: {
        summary: 'Remove from the store what no row names',
        details:
          'What was written in the last day stays. After the database was restored from a backup, run "longtake cluster adopt" first.',
        options: [
          option('--sound', 'also the sound of videos whose speech and sounds are done'),
          option('--dry-run', 'only show what would be removed'),
        ],
        examples: ['longtake cluster cleanup --dry-run', 'longtake cluster cleanup --sound'],
      },
    }),
    ...commandsIn(() => import('./look.ts').then(it => it.clusterLookCommands), {
      doctor: {
        summary: 'Check database, queue, store and clock from here',
        examples: ['longtake cluster doctor', 'longtake cluster doctor --json'],
      },
    }),
  ],
}

export const commands: CommandSpec[] = [clusterCommand, earlierName(workerCommand)]
