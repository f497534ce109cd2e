import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { addRequest } from '../../apps/cluster/data/catalogue/requests.ts'
import { clusterDoor } from '../../apps/serve/server/cluster-view.ts'
import { ClusterView } from '../../src/core/api/cluster.ts'
import { testCluster } from '../support/cluster-database.ts'

const settings = (database?: string) => ({ database, roots: {}, cache: '20%', limits: {}, heartbeat: 60 })

test('a server without a cluster opens nothing and has nothing to say of one', async () => {
  const door = clusterDoor(settings(), {})
  expect(await door.view()).toEqual({})
  await door.close()
})

test('a server shows what was asked of the cluster, and says where its database does not answer', async () => {
  const cluster = await testCluster()
  const id = randomUUID()
  await addRequest(cluster.database, { id, kind: 'index', priority: 1, videos: ['a', 'b'], by: 'ada' })
  const door = clusterDoor(settings(cluster.address), {})
  const view = ClusterView.parse(await door.view())
  expect(view.cluster).toMatchObject({
    requests: [{ id, total: 2, by: 'ada' }],
    workers: 0,
    waitReason: 'Nothing waits.',
  })
  await door.close()
  await cluster.close()

  const closed = clusterDoor(settings('postgres://u:hunter2-hunter2@127.0.0.1:1/x'), {})
  const { cluster: none, problem } = await closed.view()
  expect(none).toBeUndefined()
  expect(problem).toContain('127.0.0.1:1/x does not answer')
  expect(problem).not.toContain('hunter2')
  await closed.close()
})
