import { relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import durations from '../durations.json' with { type: 'json' }

// The files that take longest begin first, by measured seconds, so that no long one is left for the end; one that was never measured
// may be long. Files that share a process come last and together: a file with a process of its own between them would end it.
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const seconds = ({ moduleId, project }: TestSpecification) => {
      const name = relative(this.ctx.config.root, moduleId)
      return project.config.isolate ? ((durations as Record<string, number>)[name] ?? 60) : -1
    }
    return [...files].sort((a, b) => seconds(b) - seconds(a))
  }
}
