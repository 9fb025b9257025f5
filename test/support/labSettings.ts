// Lab venues as configuration: their addresses, and the keys for reading them if the venue needs one.
import { venueVariable } from '#config'
import type { Lab, LabVenueName } from '#lab/lab'
import { type LabVenue, labVenueNames } from '#lab/venues'
import { registry } from '#venues/registry'
import type { VenueManifest } from '#venues/venue'

/** What an operator would configure for reading this venue; null when it needs nothing. */
export function labCredentials(lab: Lab, name: LabVenueName): Record<string, string> | null {
  const { credentialNames }: VenueManifest = registry[name]
  const { credentials }: LabVenue = lab[name]
  const given = credentialNames.flatMap((part) =>
    credentials?.[part] === undefined ? [] : [[part, credentials[part]]],
  )
  return given.length === 0 ? null : Object.fromEntries(given)
}

export const labSettings = (lab: Lab, names: readonly LabVenueName[] = labVenueNames): Record<string, string> =>
  Object.fromEntries(
    names.flatMap((name) => [
      ...Object.entries(lab[name].urls).map(([url, value]) => [venueVariable(name, `${url}_URL`), value] as const),
      ...Object.entries(labCredentials(lab, name) ?? {}).map(
        ([part, value]) => [venueVariable(name, part), value] as const,
      ),
    ]),
  )
