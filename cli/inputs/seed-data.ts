import { type SeedData, SeedDataError } from '../../mock/index.ts'
import { readYamlFile } from '../config/yaml-file.ts'
import { UsageError } from '../process/exit.ts'

const what = 'the seed data'

/** Reads the resources that exist at the start; the mock checks them. Throws UsageError. */
export const readSeedData = (file: string): SeedData => {
  const { value } = readYamlFile(file, what)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new UsageError(`${file} is no seed data: write it as a map, such as /books: [{id: 1, title: Emma}]`)
  return value as SeedData
}

/** An error of the mock; one about seed data with its line in the file. */
export const withSeedPlace = (error: unknown, file: string | undefined): unknown =>
  error instanceof SeedDataError && file !== undefined
    ? new UsageError(`${readYamlFile(file, what).at(error.path)}: ${error.message}`)
    : error
