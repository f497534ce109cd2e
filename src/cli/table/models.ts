import type { ArgumentSpec, CommandSpec } from './types.ts'

const names: ArgumentSpec = {
  name: 'names',
  about: 'a profile, roles, or models by name; without any, all of the profile in use ("local" for auto)',
  kind: 'any',
  values: 'text',
}

export const modelsCommand: CommandSpec = {
  name: 'models',
  summary: 'Fetch, check and remove the models that the backends run on',
  details:
    'Models of the hub lie in its own cache (HF_HOME), where other tools find them too; HF_ENDPOINT names a mirror, HF_TOKEN a token, and HF_HUB_OFFLINE=1 forbids all requests. Ollama keeps its models itself.',
  commands: [
    {
      name: 'list',
      summary: 'Show which models the roles run on, and whether they are here',
      arguments: [names],
      examples: ['longtake models list', 'longtake models list paper'],
      load: () => import('../commands/models.ts').then(it => it.list),
    },
    {
      name: 'pull',
      summary: 'Fetch what is missing; what was interrupted goes on where it stopped',
      arguments: [names],
      options: [
        { flag: '--dry-run', about: 'only say what would be fetched and how large it is' },
        { flag: '--update', about: 'the newest version, instead of the one that was fetched first' },
      ],
      examples: [
        'longtake models pull local --dry-run',
        'longtake models pull local',
        'longtake models pull embedImage',
      ],
      load: () => import('../commands/models.ts').then(it => it.pull),
    },
    {
      name: 'verify',
      summary: 'Read every file again and compare it with its checksum',
      arguments: [names],
      examples: ['longtake models verify'],
      load: () => import('../commands/models.ts').then(it => it.verify),
    },
    {
      name: 'rm',
      summary: 'Remove models that longtake has fetched',
      arguments: [names],
      examples: ['longtake models rm onnx-community/whisper-small_timestamped', 'longtake models rm local'],
      load: () => import('../commands/models.ts').then(it => it.rm),
    },
    {
      name: 'path',
      summary: 'Print the folders in which the models lie',
      arguments: [names],
      examples: ['longtake models path embedImage'],
      load: () => import('../commands/models.ts').then(it => it.path),
    },
  ],
}
