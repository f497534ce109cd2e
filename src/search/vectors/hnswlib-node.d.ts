// What is used of a package that need not be installed: without its own types the tree must compile too.
declare module 'hnswlib-node' {
  export interface HierarchicalNSW {
    initIndex(options: { maxElements: number; m: number; efConstruction: number }): void
    resizeIndex(maxElements: number): void
    getMaxElements(): number
    getIdsList(): number[]
    addPoint(point: number[], key: number): void
    getPoint(key: number): number[]
    setEf(ef: number): void
    searchKnn(
      query: number[],
      k: number,
      accept?: (key: number) => boolean,
    ): { distances: number[]; neighbors: number[] }
    readIndex(file: string): Promise<boolean>
    writeIndex(file: string): Promise<boolean>
  }
  const library: { HierarchicalNSW: new (space: 'ip', dimensions: number) => HierarchicalNSW }
  export default library
}
