import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import durations from '../durations.json' with { type: 'json' }

// The files that take longest begin first, by measured seconds, so that no long one is left for the end; one that was never measured
// may be long. Files that share a process come last and together: a file of another project between them would end it.
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const known: Record<string, number> = durations
    const seconds = ({ moduleId }: TestSpecification) => known[relative(this.ctx.config.root, moduleId)] ?? 60
    const place = ({ project }: TestSpecification) => ['slow', 'shared', 'unit'].indexOf(project.name)
    return [...files].sort((a, b) => place(a) - place(b) || seconds(b) - seconds(a))
  }
}
