// Ambiguous surnames: the commonest of the United States (Census Bureau, "Frequently Occurring Surnames", 2010) and those that several
// contemporary public figures share.

const common = `smith johnson williams brown jones garcia miller davis rodriguez martinez hernandez lopez gonzalez wilson anderson thomas
taylor moore jackson martin lee perez thompson white harris sanchez clark ramirez lewis robinson walker young allen king wright scott torres
nguyen hill flores green adams nelson baker hall rivera campbell mitchell carter roberts gomez phillips evans turner diaz parker cruz edwards
collins reyes stewart morris morales murphy cook rogers gutierrez ortiz morgan cooper peterson bailey reed kelly howard ramos kim cox ward
richardson watson brooks chavez wood james bennett gray mendoza ruiz hughes price alvarez castillo sanders patel myers long ross foster`

const shared = `trump biden bush clinton obama kennedy kirk desantis paul cuomo musk kardashian jenner kelce manning curry ball antetokounmpo
fernandez rodrigues silva santos le-pen gandhi marcos duterte fujimori bolsonaro kirchner castro modi sharif bhutto park wang li zhang chen
singh kumar khan ali murdoch baldwin hadid verstappen schumacher williams norris messi neville hernan moon yoon shinawatra`

const unclear = new Set(`${common} ${shared}`.split(/\s+/))

/** A surname alone may be any person of that name. */
export const isSharedSurname = (surname: string): boolean => unclear.has(surname)
