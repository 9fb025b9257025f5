// The sizes of an algorithm as exact decimals, with their defaults.
import { compareDecimals, divideDecimals, isOnStep, multiplyDecimals, readDecimal } from '#core/decimal'
import type { AlgorithmBody, AlgorithmParameters } from '#schemas/algorithms'
import { invalid } from './times.ts'

export interface AlgorithmSizes {
  size: string
  limitPrice: string
  sizeStep: string
  minSliceSize: string
  /** With canonical sizes. */
  parameters: AlgorithmParameters
}

type Given = Pick<AlgorithmBody, 'size' | 'limitPrice' | 'sizeStep' | 'minSliceSize' | 'algorithm' | 'signedSlices'>

/** Throws VALIDATION_ERROR. */
export function sizesOf(body: Given): AlgorithmSizes {
  const size = decimal(body.size)
  const sizeStep = body.sizeStep === undefined ? lastPlaceOf(size) : decimal(body.sizeStep)
  const minSliceSize = body.minSliceSize === undefined ? sizeStep : decimal(body.minSliceSize)
  const checkStep = (field: string, value: string): void => {
    if (!isOnStep(value, sizeStep)) throw invalid(field, `must be a multiple of sizeStep, ${sizeStep}`)
  }
  checkStep('size', size)
  checkStep('minSliceSize', minSliceSize)
  if (compareDecimals(minSliceSize, size) > 0) throw invalid('minSliceSize', 'is larger than size')
  const { algorithm } = body
  const parameters = withDecimals(algorithm)
  const isSigned = body.signedSlices !== undefined
  if ('displaySize' in parameters && parameters.displaySize !== undefined && !isSigned) {
    const shown = String(parameters.displaySize)
    checkStep('algorithm.displaySize', shown)
    if (compareDecimals(shown, minSliceSize) < 0) throw invalid('algorithm.displaySize', 'is smaller than minSliceSize')
  }
  if (algorithm.kind === 'twap' && !isSigned) {
    const smallest = multiplyDecimals(minSliceSize, String(algorithm.slices))
    if (compareDecimals(size, smallest) < 0)
      throw invalid('algorithm.slices', `${algorithm.slices} slices of at least ${minSliceSize} are more than size`)
  }
  return { size, limitPrice: decimal(body.limitPrice), sizeStep, minSliceSize, parameters }
}

function withDecimals(algorithm: AlgorithmParameters): AlgorithmParameters {
  return 'displaySize' in algorithm && algorithm.displaySize !== undefined
    ? { ...algorithm, displaySize: decimal(algorithm.displaySize) }
    : algorithm
}

/** The schema takes plain decimals only. */
function decimal(value: number | string): string {
  const text = readDecimal(value)
  if (text === null) throw new Error('a plain decimal was expected')
  return text
}

function lastPlaceOf(size: string): string {
  const places = size.split('.')[1]?.length ?? 0
  return divideDecimals('1', String(10 ** places), places, 'down')
}
