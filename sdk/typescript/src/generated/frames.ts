// Written by `npm run sdk:generate` from the program's /asyncapi.json. Change that, not this.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Levels: {
            price: number;
            size: number;
        }[];
        ArbitrageRow: {
            clusterId: string;
            question: string;
            similarity: number | null;
            contracts: number;
            legs: {
                buyYes: {
                    venue: string;
                    canonicalMarketId: string | null;
                    /** @enum {string} */
                    side: "yes" | "no";
                    executable: boolean;
                    reasons: string[];
                    vwap: number | null;
                    cost: number | null;
                    fee: number | null;
                    filled: number;
                    fullyFilled: boolean;
                    note?: string;
                    feeBasis: string;
                    asOf: string | null;
                };
                buyNo: {
                    venue: string;
                    canonicalMarketId: string | null;
                    /** @enum {string} */
                    side: "yes" | "no";
                    executable: boolean;
                    reasons: string[];
                    vwap: number | null;
                    cost: number | null;
                    fee: number | null;
                    filled: number;
                    fullyFilled: boolean;
                    note?: string;
                    feeBasis: string;
                    asOf: string | null;
                };
            };
            resolution: {
                compatible: boolean | null;
                reason: string | null;
                auditReasons: string[];
            };
            settlementFee: number | null;
            totalCost: number | null;
            payout: number;
            netEdge: number | null;
            roi: number | null;
            resolutionEquivalence: string;
            matchScore: number | null;
            /** @enum {string} */
            matchBand: "verified" | "minor" | "material" | "hidden" | "unscored";
            matchDifferences: {
                kind: string;
                detail: string;
                points: number;
            }[];
            executable: boolean;
            reasons: string[];
            /** @enum {string} */
            label: "arbitrage" | "indicative price discrepancy";
            asOf: string | null;
        };
        StructureRow: {
            id: string;
            /** @enum {string} */
            kind: "equality" | "implication" | "exclusion" | "partition" | "ladder" | "combination";
            legs: {
                market: string;
                venue: string;
                title: string;
                /** @enum {string} */
                side: "yes" | "no";
                contracts: number;
                price: number;
                limitPrice: number;
                cost: number;
                fee: number;
                payout: number;
                executable: boolean;
                reasons: string[];
                asOf: string | null;
            }[];
            contracts: number;
            worstPayout: number;
            capital: number;
            edge: number;
            roi: number;
            relations: {
                id: string;
                kind: string;
                /** @enum {string} */
                band: "verified" | "minor" | "material" | "hidden" | "unscored";
                reason: string | null;
            }[];
            weakest: {
                id: string;
                /** @enum {string} */
                band: "verified" | "minor" | "material" | "hidden" | "unscored";
            } | null;
            executable: boolean;
            reasons: string[];
            proven: boolean;
            asOf: string | null;
        };
        PortfolioPosition: {
            venue: string;
            marketId: string;
            outcomeId: string;
            currency: string | null;
            quantity: string;
            costBasis: string | null;
            averageCost: string | null;
            costBasisFifo: string | null;
            realizedPnl: string | null;
            realizedPnlFifo: string | null;
            fees: string | null;
            bought: string;
            sold: string;
            market: string | null;
            label: string | null;
            marketStatus: string | null;
            resolutionDate: string | null;
            settlement: {
                value: string;
                unclaimed: string;
                paid: string;
                at: string | null;
                timeSource: ("venue" | "resolutionDate" | "catalogUpdate" | "lastTrade" | "redemption") | null;
            } | null;
            marks: {
                mid: string | null;
                bid: string | null;
                last: string | null;
            };
            value: {
                mid: string | null;
                bid: string | null;
                last: string | null;
                settlement: string | null;
            };
            unrealizedPnl: {
                mid: string | null;
                bid: string | null;
                last: string | null;
            };
            openedAt: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        PortfolioVenueTotals: {
            venue: string;
            currency: string | null;
            cashFlow: string | null;
            deposits: string;
            fees: {
                known: string;
                unknown: number;
            };
            realizedPnl: {
                known: string;
                unknown: number;
            };
            realizedPnlFifo: {
                known: string;
                unknown: number;
            };
            value: {
                mid: {
                    known: string;
                    unknown: number;
                };
                bid: {
                    known: string;
                    unknown: number;
                };
                last: {
                    known: string;
                    unknown: number;
                };
            };
            unclaimed: string;
            unrealizedPnl: {
                mid: {
                    known: string;
                    unknown: number;
                };
                bid: {
                    known: string;
                    unknown: number;
                };
                last: {
                    known: string;
                    unknown: number;
                };
            };
            positions: {
                open: number;
                closed: number;
            };
            unknown: {
                field: string;
                /** @enum {string} */
                reason: "amount_not_reported" | "cost_not_entered" | "cost_unknown" | "no_live_book" | "book_too_thin" | "no_last_price" | "payout_unknown" | "catalog_unavailable";
                count: number;
            }[];
        };
        ClientOp: {
            /** @constant */
            op: "auth";
            apiKey: string;
        } | {
            /** @enum {string} */
            op: "subscribe" | "unsubscribe";
            /** @enum {string} */
            channel: "orderbook" | "trades";
            venue: string;
            marketId?: string;
            outcomeId?: string;
            marketIds?: string[];
            depth?: 1 | 5 | 20 | "all";
            filters?: unknown;
        } | {
            /** @enum {string} */
            op: "subscribeAll" | "unsubscribeAll";
            /** @constant */
            channel: "orderbook";
            venue: string;
        } | {
            /** @enum {string} */
            op: "subscribeFeedTicker" | "unsubscribeFeedTicker";
            feed: string;
            symbol: string;
        } | {
            /** @enum {string} */
            op: "subscribePrice" | "unsubscribePrice";
            venue: string;
            marketId?: string;
            outcomeId?: string;
            marketAddress?: string;
        } | {
            /** @constant */
            op: "subscribeArbitrage";
            executableOnly?: boolean;
            venues?: string[];
            minEdge?: number;
            intervalMs?: number;
        } | {
            /** @constant */
            op: "unsubscribeArbitrage";
        } | {
            /** @constant */
            op: "subscribeStructures";
            executableOnly?: boolean;
            kinds?: ("equality" | "implication" | "exclusion" | "partition" | "ladder" | "combination")[];
            venues?: string[];
            minEdge?: number;
        } | {
            /** @constant */
            op: "unsubscribeStructures";
        } | {
            /** @constant */
            op: "subscribeOrders";
        } | {
            /** @constant */
            op: "unsubscribeOrders";
        } | {
            /** @constant */
            op: "subscribePortfolio";
        } | {
            /** @constant */
            op: "unsubscribePortfolio";
        } | {
            /** @constant */
            op: "subscribeReplay";
            markets: {
                venue: string;
                marketId?: string;
                outcomeId?: string;
            }[];
            since: string | number;
            until: string | number;
            speed?: number | "max";
            channels?: ("orderbook" | "trades")[];
        } | {
            /** @constant */
            op: "pauseReplay";
        } | {
            /** @constant */
            op: "resumeReplay";
        } | {
            /** @constant */
            op: "unsubscribeReplay";
        };
        AckFrame: {
            /** @enum {string} */
            type: "subscribed" | "unsubscribed";
            /** @enum {string} */
            channel: "orderbook" | "trades" | "orderbook:all" | "feedTicker" | "price" | "arbitrage" | "structures" | "orders" | "portfolio" | "replay";
            venue?: string;
            marketId?: string;
            outcomeId?: string | null;
            catalogMarketId?: string | null;
            nativeId?: string;
            markets?: {
                venue: string;
                marketId: string;
                outcomeId: string | null;
                catalogMarketId?: string | null;
                nativeId?: string;
            }[];
            depth?: 1 | 5 | 20;
            feed?: string;
            symbol?: string;
            disclosure?: {
                /** @enum {string} */
                provenance: "chain-scan" | "mempool";
                latencyMs: number | null;
                completeness: string;
            };
            /** @enum {string} */
            status?: "pending" | "all";
        };
        BookFrame: {
            /** @enum {string} */
            type: "snapshot" | "update";
            venue: string;
            marketId: string;
            ts: number;
            sequence: number;
            conflated?: number;
            data: {
                bids: components["schemas"]["Levels"];
                asks: {
                    price: number;
                    size: number;
                }[];
                timestamp: number;
            };
        };
        TradeFrame: {
            /** @constant */
            type: "trade";
            venue: string;
            marketId: string;
            ts: number;
            data: {
                id: string;
                /** Format: date-time */
                time: string;
                timestamp: number;
                /** @enum {string} */
                type: "Buy" | "Sell" | "Unknown";
                usd: number | null;
                outcome: string | null;
                outcomeIndex: number | null;
                shares: number;
                price: number | null;
                maker: string | null;
                transactionHash: string | null;
                wallet: string | null;
                counterparty: string | null;
            };
            /** @constant */
            provenance?: "chain-scan";
        } | {
            /** @constant */
            type: "trade";
            venue: string;
            marketId: string;
            ts: number;
            data: {
                id: string;
                /** Format: date-time */
                time: string;
                timestamp: number;
                /** @enum {string} */
                type: "Buy" | "Sell" | "Unknown";
                usd: number | null;
                outcome: string | null;
                outcomeIndex: number | null;
                shares: number;
                price: number | null;
                maker: string | null;
                transactionHash: string | null;
                wallet: string | null;
                counterparty: string | null;
            };
            /** @constant */
            provenance: "mempool";
            /** @enum {string} */
            status: "pending" | "confirmed" | "dropped";
            /** Format: date-time */
            seenAt: string;
            blockNumber?: number;
            /** @enum {string} */
            dropReason?: "timeout" | "reverted";
        };
        FeedTickerFrame: {
            /** @constant */
            type: "feedTicker";
            feed: string;
            symbol: string;
            ts: number;
            data: {
                symbol: string;
                /** Format: date-time */
                asOf: string;
                provenance: {
                    /** @enum {string} */
                    source: "binance-rest" | "binance-ws" | "chainlink-onchain";
                    /** @constant */
                    lab?: true;
                };
                price?: number;
                volume?: number;
                timestamp?: number;
                /** Format: date-time */
                datetime?: string;
                sourceMetadata?: {
                    [key: string]: unknown;
                };
            };
        };
        PriceFrame: {
            /** @constant */
            type: "price";
            venue: string;
            marketId: string;
            marketAddress: string;
            ts: number;
            data: {
                provider: string;
                marketId: string;
                marketAddress: string;
                prices: {
                    choiceIndex: number | null;
                    label: string | null;
                    price01: number;
                    rawPrice: string | null;
                }[];
                triggeredBy: {
                    eventName: string | null;
                    transactionHash: string | null;
                    blockNumber: number | null;
                    logIndex: number | null;
                } | null;
                /** Format: date-time */
                asOfISO: string;
            };
        };
        ArbitrageFrame: {
            /** @constant */
            type: "arbitrage";
            ts: number;
            data: {
                /** @constant */
                exchange: "router";
                /** @enum {string} */
                kind: "snapshot" | "delta";
                seq: number;
                /** Format: date-time */
                computedAt: string;
                /** Format: date-time */
                publishedAt: string;
                part: {
                    i: number;
                    n: number;
                };
                rows?: components["schemas"]["ArbitrageRow"][];
                upserts?: components["schemas"]["ArbitrageRow"][];
                removes?: string[];
                intervalMs: number;
                heartbeatMs: number;
                contracts: number;
                limit: number;
            };
        };
        StructuresFrame: {
            /** @constant */
            type: "structures";
            ts: number;
            data: {
                /** @constant */
                exchange: "router";
                /** @enum {string} */
                kind: "snapshot" | "delta";
                seq: number;
                computedAt: string | null;
                /** Format: date-time */
                publishedAt: string;
                part: {
                    i: number;
                    n: number;
                };
                rows?: components["schemas"]["StructureRow"][];
                upserts?: components["schemas"]["StructureRow"][];
                removes?: string[];
                complete: boolean;
            };
        };
        OrdersFrame: {
            /** @constant */
            type: "orders";
            ts: number;
            data: {
                /** @constant */
                kind: "snapshot";
                /** @enum {string} */
                reason: "subscribed" | "behind" | "gap";
                executions: {
                    /** Format: uuid */
                    executionId: string;
                    venue: string;
                    /** @enum {string} */
                    intent: "order" | "cancel" | "modify" | "redeem" | "split" | "merge" | "convert";
                    /** @enum {string} */
                    status: "built" | "signed" | "submitted" | "acked" | "filled" | "failed" | "expired" | "canceled";
                    venueRef: string | null;
                    targetExecutionId: string | null;
                    marketId: string | null;
                    outcomeId: string | null;
                    side: ("buy" | "sell") | null;
                    price: string | null;
                    size: string | null;
                    matchedSize: string | null;
                    error: string | null;
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: date-time */
                    updatedAt: string;
                }[];
                conditionals: {
                    /** Format: uuid */
                    id: string;
                    /** Format: uuid */
                    executionId: string;
                    venue: string;
                    marketId: string;
                    outcomeId: string;
                    /** @enum {string} */
                    status: "armed" | "triggered" | "firing" | "fired" | "fire_failed" | "canceled" | "expired" | "superseded";
                    /** @enum {string} */
                    fireMode: "hosted" | "client";
                    trigger: {
                        /** @enum {string} */
                        when?: "at_or_above" | "at_or_below";
                        price?: number;
                        trail?: {
                            /** @constant */
                            by: "price";
                            distance: number;
                        } | {
                            /** @constant */
                            by: "percent";
                            distance: number;
                        };
                        /** Format: date-time */
                        at?: string;
                        /** @enum {string} */
                        reference: "mark" | "bid" | "ask";
                        confirmations: number;
                        dwellMs: number;
                        maxSpread: number;
                        minSize: number;
                        /** @enum {string} */
                        tpsl?: "tp" | "sl";
                    };
                    triggerEvidence: {
                        [key: string]: unknown;
                    } | null;
                    triggeredAt: string | null;
                    /** Format: date-time */
                    expiresAt: string;
                    fireAttempts: number;
                    lastError: string | null;
                    ocoGroupId: string | null;
                    armCountry: string | null;
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: date-time */
                    updatedAt: string;
                    events?: {
                        id: number;
                        /** Format: date-time */
                        ts: string;
                        /** @enum {string} */
                        actor: "api" | "trigger_engine" | "exec_fire" | "expiry";
                        fromStatus: ("armed" | "triggered" | "firing" | "fired" | "fire_failed" | "canceled" | "expired" | "superseded") | null;
                        /** @enum {string} */
                        toStatus: "armed" | "triggered" | "firing" | "fired" | "fire_failed" | "canceled" | "expired" | "superseded";
                        evidence: {
                            [key: string]: unknown;
                        } | null;
                    }[];
                }[];
                algorithms?: {
                    /** Format: uuid */
                    id: string;
                    venue: string;
                    marketId: string;
                    outcomeId: string;
                    /** @enum {string} */
                    side: "buy" | "sell";
                    algorithm: {
                        /** @constant */
                        kind: "twap";
                        slices: number;
                        durationMs: number;
                        /**
                         * @default take
                         * @enum {string}
                         */
                        style: "take" | "rest";
                    } | {
                        /** @constant */
                        kind: "iceberg";
                        displaySize: number | string;
                    } | {
                        /** @constant */
                        kind: "peg";
                        /** @enum {string} */
                        to: "bid" | "ask";
                        /** @default 5000 */
                        intervalMs: number;
                        displaySize?: number | string;
                    } | {
                        /** @constant */
                        kind: "passive_then_aggressive";
                        passiveMs: number;
                        /** @default 5000 */
                        intervalMs: number;
                    };
                    /** @enum {string} */
                    mode: "hosted" | "client";
                    size: string;
                    limitPrice: string;
                    sizeStep: string;
                    minSliceSize: string;
                    postOnly: boolean;
                    /** @enum {string} */
                    status: "running" | "ending" | "completed" | "canceled" | "expired" | "failed";
                    waitsFor: ("not_started" | "book_not_live" | "price_beyond_limit" | "no_price_to_follow" | "next_interval" | "min_interval" | "slice_unsent" | "awaiting_signature" | "slice_open" | "outcome_unknown" | "fill_unknown" | "cancel_awaiting_signature" | "cancel_unconfirmed" | "earlier_slice_open" | "halted" | "refused") | null;
                    lastError: string | null;
                    filledSize: string | null;
                    remainingSize: string | null;
                    averagePrice: string | null;
                    benchmark: {
                        arrivalMid: string | null;
                        intervalVwap: string | null;
                    };
                    sliceCount: number;
                    liveSlice: {
                        number: number;
                        /** @enum {string} */
                        status: "planned" | "decided" | "awaiting_signature" | "ready" | "sent" | "ended";
                        outcome: ("filled" | "canceled" | "expired" | "failed" | "refused" | "unsigned" | "withdrawn") | null;
                        price: string;
                        size: string;
                        takes: boolean;
                        executionId: string | null;
                        signBy: string | null;
                        cancelExecutionId: string | null;
                        filledSize: string | null;
                        error: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        endedAt: string | null;
                    } | null;
                    /** Format: date-time */
                    startsAt: string;
                    /** Format: date-time */
                    expiresAt: string;
                    endedAt: string | null;
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: date-time */
                    updatedAt: string;
                    slices?: {
                        number: number;
                        /** @enum {string} */
                        status: "planned" | "decided" | "awaiting_signature" | "ready" | "sent" | "ended";
                        outcome: ("filled" | "canceled" | "expired" | "failed" | "refused" | "unsigned" | "withdrawn") | null;
                        price: string;
                        size: string;
                        takes: boolean;
                        executionId: string | null;
                        signBy: string | null;
                        cancelExecutionId: string | null;
                        filledSize: string | null;
                        error: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        endedAt: string | null;
                    }[];
                }[];
                truncated: boolean;
                part: {
                    i: number;
                    n: number;
                };
            } | {
                /** @constant */
                kind: "execution";
                /** @enum {string} */
                previousStatus: "built" | "signed" | "submitted" | "acked" | "filled" | "failed" | "expired" | "canceled";
                /** Format: date-time */
                occurredAt: string;
                execution: {
                    /** Format: uuid */
                    executionId: string;
                    venue: string;
                    /** @enum {string} */
                    intent: "order" | "cancel" | "modify" | "redeem" | "split" | "merge" | "convert";
                    /** @enum {string} */
                    status: "built" | "signed" | "submitted" | "acked" | "filled" | "failed" | "expired" | "canceled";
                    venueRef: string | null;
                    targetExecutionId: string | null;
                    marketId: string | null;
                    outcomeId: string | null;
                    side: ("buy" | "sell") | null;
                    price: string | null;
                    size: string | null;
                    matchedSize: string | null;
                    error: string | null;
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: date-time */
                    updatedAt: string;
                };
            } | {
                /** @constant */
                kind: "fill";
                fill: {
                    fillId: string;
                    /** Format: uuid */
                    executionId: string;
                    venue: string;
                    fill: {
                        [key: string]: unknown;
                    };
                    /** Format: date-time */
                    filledAt: string;
                };
            } | {
                /** @constant */
                kind: "conditional";
                previousStatus: ("armed" | "triggered" | "firing" | "fired" | "fire_failed" | "canceled" | "expired" | "superseded") | null;
                /** Format: date-time */
                occurredAt: string;
                conditional: {
                    /** Format: uuid */
                    id: string;
                    /** Format: uuid */
                    executionId: string;
                    venue: string;
                    marketId: string;
                    outcomeId: string;
                    /** @enum {string} */
                    status: "armed" | "triggered" | "firing" | "fired" | "fire_failed" | "canceled" | "expired" | "superseded";
                    /** @enum {string} */
                    fireMode: "hosted" | "client";
                    trigger: {
                        /** @enum {string} */
                        when?: "at_or_above" | "at_or_below";
                        price?: number;
                        trail?: {
                            /** @constant */
                            by: "price";
                            distance: number;
                        } | {
                            /** @constant */
                            by: "percent";
                            distance: number;
                        };
                        /** Format: date-time */
                        at?: string;
                        /** @enum {string} */
                        reference: "mark" | "bid" | "ask";
                        confirmations: number;
                        dwellMs: number;
                        maxSpread: number;
                        minSize: number;
                        /** @enum {string} */
                        tpsl?: "tp" | "sl";
                    };
                    triggerEvidence: {
                        [key: string]: unknown;
                    } | null;
                    triggeredAt: string | null;
                    /** Format: date-time */
                    expiresAt: string;
                    fireAttempts: number;
                    lastError: string | null;
                    ocoGroupId: string | null;
                    armCountry: string | null;
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: date-time */
                    updatedAt: string;
                    events?: {
                        id: number;
                        /** Format: date-time */
                        ts: string;
                        /** @enum {string} */
                        actor: "api" | "trigger_engine" | "exec_fire" | "expiry";
                        fromStatus: ("armed" | "triggered" | "firing" | "fired" | "fire_failed" | "canceled" | "expired" | "superseded") | null;
                        /** @enum {string} */
                        toStatus: "armed" | "triggered" | "firing" | "fired" | "fire_failed" | "canceled" | "expired" | "superseded";
                        evidence: {
                            [key: string]: unknown;
                        } | null;
                    }[];
                };
            } | {
                /** @constant */
                kind: "algorithm";
                /** @enum {string} */
                event: "created" | "slice_offered" | "slice_sent" | "cancel_offered" | "cancel_built" | "slice_ended" | "ending" | "ended";
                /** Format: date-time */
                occurredAt: string;
                algorithm: {
                    /** Format: uuid */
                    id: string;
                    venue: string;
                    marketId: string;
                    outcomeId: string;
                    /** @enum {string} */
                    side: "buy" | "sell";
                    algorithm: {
                        /** @constant */
                        kind: "twap";
                        slices: number;
                        durationMs: number;
                        /**
                         * @default take
                         * @enum {string}
                         */
                        style: "take" | "rest";
                    } | {
                        /** @constant */
                        kind: "iceberg";
                        displaySize: number | string;
                    } | {
                        /** @constant */
                        kind: "peg";
                        /** @enum {string} */
                        to: "bid" | "ask";
                        /** @default 5000 */
                        intervalMs: number;
                        displaySize?: number | string;
                    } | {
                        /** @constant */
                        kind: "passive_then_aggressive";
                        passiveMs: number;
                        /** @default 5000 */
                        intervalMs: number;
                    };
                    /** @enum {string} */
                    mode: "hosted" | "client";
                    size: string;
                    limitPrice: string;
                    sizeStep: string;
                    minSliceSize: string;
                    postOnly: boolean;
                    /** @enum {string} */
                    status: "running" | "ending" | "completed" | "canceled" | "expired" | "failed";
                    waitsFor: ("not_started" | "book_not_live" | "price_beyond_limit" | "no_price_to_follow" | "next_interval" | "min_interval" | "slice_unsent" | "awaiting_signature" | "slice_open" | "outcome_unknown" | "fill_unknown" | "cancel_awaiting_signature" | "cancel_unconfirmed" | "earlier_slice_open" | "halted" | "refused") | null;
                    lastError: string | null;
                    filledSize: string | null;
                    remainingSize: string | null;
                    averagePrice: string | null;
                    benchmark: {
                        arrivalMid: string | null;
                        intervalVwap: string | null;
                    };
                    sliceCount: number;
                    liveSlice: {
                        number: number;
                        /** @enum {string} */
                        status: "planned" | "decided" | "awaiting_signature" | "ready" | "sent" | "ended";
                        outcome: ("filled" | "canceled" | "expired" | "failed" | "refused" | "unsigned" | "withdrawn") | null;
                        price: string;
                        size: string;
                        takes: boolean;
                        executionId: string | null;
                        signBy: string | null;
                        cancelExecutionId: string | null;
                        filledSize: string | null;
                        error: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        endedAt: string | null;
                    } | null;
                    /** Format: date-time */
                    startsAt: string;
                    /** Format: date-time */
                    expiresAt: string;
                    endedAt: string | null;
                    /** Format: date-time */
                    createdAt: string;
                    /** Format: date-time */
                    updatedAt: string;
                    slices?: {
                        number: number;
                        /** @enum {string} */
                        status: "planned" | "decided" | "awaiting_signature" | "ready" | "sent" | "ended";
                        outcome: ("filled" | "canceled" | "expired" | "failed" | "refused" | "unsigned" | "withdrawn") | null;
                        price: string;
                        size: string;
                        takes: boolean;
                        executionId: string | null;
                        signBy: string | null;
                        cancelExecutionId: string | null;
                        filledSize: string | null;
                        error: string | null;
                        /** Format: date-time */
                        createdAt: string;
                        endedAt: string | null;
                    }[];
                };
            };
        };
        PortfolioFrame: {
            /** @constant */
            type: "portfolio";
            ts: number;
            data: {
                /** @constant */
                kind: "snapshot";
                seq: number;
                /** Format: date-time */
                asOf: string;
                unavailable: string[];
                /** @enum {string} */
                reason: "subscribed" | "behind";
                positions: components["schemas"]["PortfolioPosition"][];
                summary: components["schemas"]["PortfolioVenueTotals"][];
                truncated: boolean;
                part: {
                    i: number;
                    n: number;
                };
            } | {
                /** @constant */
                kind: "change";
                seq: number;
                /** Format: date-time */
                asOf: string;
                unavailable: string[];
                positions: components["schemas"]["PortfolioPosition"][];
                removed: {
                    venue: string;
                    marketId: string;
                    outcomeId: string;
                }[];
                summary: components["schemas"]["PortfolioVenueTotals"][];
                removedSummary: {
                    venue: string;
                    currency: string | null;
                }[];
            };
        };
        ReplayFrame: {
            /** @enum {string} */
            type: "snapshot" | "update";
            venue: string;
            marketId: string;
            ts: number;
            sequence: number;
            conflated?: number;
            data: {
                bids: components["schemas"]["Levels"];
                asks: {
                    price: number;
                    size: number;
                }[];
                timestamp: number;
            };
            /** @constant */
            replay: true;
            at: number;
        } | {
            /** @constant */
            type: "trade";
            venue: string;
            marketId: string;
            ts: number;
            data: {
                id: string;
                /** Format: date-time */
                time: string;
                timestamp: number;
                /** @enum {string} */
                type: "Buy" | "Sell" | "Unknown";
                usd: number | null;
                outcome: string | null;
                outcomeIndex: number | null;
                shares: number;
                price: number | null;
                maker: string | null;
                transactionHash: string | null;
                wallet: string | null;
                counterparty: string | null;
            };
            /** @constant */
            provenance?: "chain-scan";
            /** @constant */
            replay: true;
            at: number;
        } | {
            /** @constant */
            type: "replayGap";
            venue: string;
            marketId: string;
            ts: number;
            /** @constant */
            replay: true;
            at: number;
            data: {
                /** @enum {string} */
                kind: "gap" | "closed";
                from: string | null;
                to: string | null;
                reason: string | null;
            };
        } | {
            /** @enum {string} */
            type: "replayPaused" | "replayResumed" | "replayEnd";
            ts: number;
            /** @constant */
            replay: true;
            data: {
                frames: number;
                at: number | null;
                completeUntil?: number | null;
            };
        };
        ErrorFrame: {
            /** @constant */
            type: "error";
            /** @enum {string} */
            code: "VALIDATION_ERROR" | "NOT_SUPPORTED" | "ACCOUNTS_UNSUPPORTED" | "VENUE_NOT_AVAILABLE" | "EXCHANGE_NOT_AVAILABLE" | "MARKET_NOT_FOUND" | "EVENT_NOT_FOUND" | "TRADERS_UNSUPPORTED" | "TRADER_NOT_FOUND" | "CLUSTER_NOT_FOUND" | "OUTCOME_NOT_FOUND" | "SNAPSHOT_NOT_FOUND" | "CATALOG_UNAVAILABLE" | "CATALOG_QUERY_TOO_BROAD" | "HISTORY_UNAVAILABLE" | "SPORTS_SCREEN_UNAVAILABLE" | "SPORTS_FIXTURE_NOT_FOUND" | "SPORTS_BLOCK_NOT_FOUND" | "ROUTE_NOT_FOUND" | "INTERNAL" | "AUTHENTICATION_ERROR" | "PERMISSION_DENIED" | "RATE_LIMIT_EXCEEDED" | "NETWORK_ERROR" | "NOT_FOUND" | "BAD_REQUEST" | "BRIDGE_UNSUPPORTED" | "BRIDGE_NO_ROUTE" | "BRIDGE_UPSTREAM" | "BRIDGE_PROVIDER_UNAVAILABLE" | "BRIDGE_TRANSACTION_NOT_FOUND" | "BRIDGE_SESSION_NOT_FOUND" | "TRANSFER_PLAN_UNSUPPORTED" | "UNAUTHORIZED" | "SCOPE_MISSING" | "PLAN_REQUIRED" | "INSUFFICIENT_CREDITS" | "RATE_LIMITED" | "GEO_BLOCKED" | "VENUE_REGION_BLOCKED" | "IDEMPOTENCY_KEY_REQUIRED" | "RESERVED_IDEMPOTENCY_KEY" | "IDEMPOTENCY_CONFLICT" | "ARTIFACT_VERSION_CONFLICT" | "SPEND_CAP_EXCEEDED" | "RESERVATION_REQUIRED" | "RESERVATION_CONSUMED" | "RESERVATION_MISMATCH" | "RESERVATION_EXPIRED" | "RESERVATION_RELEASED" | "ARTIFACT_BOUNDS_VIOLATION" | "ARTIFACT_INTEGRITY_MISMATCH" | "CLAIM_GENERATION_UNDETERMINED" | "VENUE_NOT_SUPPORTED" | "EXECUTION_NOT_FOUND" | "EXECUTION_TERMINAL" | "CONDITIONAL_NOT_FOUND" | "CONDITIONAL_NOT_ARMED" | "CONDITIONAL_ATTEMPT_CONFLICT" | "CONDITIONAL_ARMED" | "CONDITIONAL_CLOSED_NOT_SUBMITTED" | "OCO_GROUP_CLOSED" | "HOSTED_FIRE_NOT_ELIGIBLE" | "HOSTED_FIRE_UNAVAILABLE" | "NOT_IMPLEMENTED" | "VENUE_CREDENTIAL_REJECTED" | "VENUE_CREDENTIAL_BREAKER_OPEN" | "GEMINI_TIME_NONCE_REQUIRED" | "GEMINI_HEARTBEAT_KEY_UNSUPPORTED" | "VENUE_RELAY_FAILED" | "EXEC_UNAVAILABLE" | "RAIN_INVALID_OPTION" | "RAIN_INVALID_SIDE" | "RAIN_INVALID_PRICE" | "RAIN_INVALID_AMOUNT" | "RAIN_SLIPPAGE_REQUIRED" | "RAIN_INVALID_DEADLINE" | "RAIN_PHASE_NOT_OPEN" | "RAIN_ORDER_LIMIT_REACHED" | "RAIN_POOL_SAFETY_CHECK_FAILED" | "PLATFORM_UNAVAILABLE" | "PACK_NOT_FOUND" | "BILLING_UNAVAILABLE" | "BILLING_CUSTOMER_REQUIRED" | "PLAN_NOT_FOUND" | "SUBSCRIPTION_EXISTS" | "WEBHOOK_NOT_FOUND" | "INVALID_SIGNATURE" | "PAPER_INSUFFICIENT_CASH" | "PAPER_POSITION_TOO_SMALL" | "PAPER_MARKET_CLOSED" | "PAPER_WORKING_ORDER_CAP" | "PAPER_NO_LIVE_BOOK" | "PAPER_ORDER_NOT_FOUND" | "PAPER_ORDER_NOT_OPEN" | "SQL_QUERY_FAILED" | "SQL_TIMEOUT" | "FEED_NOT_FOUND" | "FEEDS_UNAVAILABLE" | "FEED_UPSTREAM" | "MATCHES_UNAVAILABLE" | "ARBITRAGE_UNAVAILABLE" | "PLAN_UPGRADE_REQUIRED" | "BAD_MESSAGE" | "NOT_SUBSCRIBED" | "SUBSCRIPTION_LIMIT";
            message: string;
            venue?: string;
            marketId?: string;
            channel?: string;
            /** @enum {string} */
            staleReason?: "disconnected" | "feed_error" | "unsubscribed" | "gap" | "unreadable" | "hash_mismatch" | "negative" | "scale" | "crossed" | "best_mismatch" | "book_mismatch" | "frozen" | "silence" | "resync_unanswered" | "lagging" | "moved" | "resync" | "unreachable" | "clock_turned_back" | "not_polled" | "unwatched" | "ingest_restarted" | "ingest_stopped" | "owner_silent" | "owner_changed" | "received_late" | "not_received";
            ts: number;
            feed?: string;
            symbol?: string;
        };
        AuthFrame: {
            /** @constant */
            type: "auth";
            /** @constant */
            status: "ok";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Levels = components['schemas']['Levels'];
export type ArbitrageRow = components['schemas']['ArbitrageRow'];
export type StructureRow = components['schemas']['StructureRow'];
export type PortfolioPosition = components['schemas']['PortfolioPosition'];
export type PortfolioVenueTotals = components['schemas']['PortfolioVenueTotals'];
export type ClientOp = components['schemas']['ClientOp'];
export type AckFrame = components['schemas']['AckFrame'];
export type BookFrame = components['schemas']['BookFrame'];
export type TradeFrame = components['schemas']['TradeFrame'];
export type FeedTickerFrame = components['schemas']['FeedTickerFrame'];
export type PriceFrame = components['schemas']['PriceFrame'];
export type ArbitrageFrame = components['schemas']['ArbitrageFrame'];
export type StructuresFrame = components['schemas']['StructuresFrame'];
export type OrdersFrame = components['schemas']['OrdersFrame'];
export type PortfolioFrame = components['schemas']['PortfolioFrame'];
export type ReplayFrame = components['schemas']['ReplayFrame'];
export type ErrorFrame = components['schemas']['ErrorFrame'];
export type AuthFrame = components['schemas']['AuthFrame'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
