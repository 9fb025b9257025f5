// Written by `npm run sdk:generate` from the program's /openapi.json. Change that, not this.
export interface paths {
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Name, version and the addresses of the documents */
        get: operations["getIndex"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The process answers */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Requests may be sent to this process; `degraded` names what it has lost and serves without */
        get: operations["getReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Counters and gauges in the Prometheus text format */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Health of every venue: connection, last message, lag, stale books; which stores answer; whether lab venues stand in for the real ones */
        get: operations["getStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This API as OpenAPI 3.1, without routes that are switched off here */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/asyncapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The stream as AsyncAPI 3, without channels that are switched off here */
        get: operations["getAsyncApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/venues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The venues served here, with their capabilities */
        get: operations["listVenues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/loadMarkets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Every active market, as one object by market id. `reload` is accepted: the catalog is always current as of asOf. Price changes and coverage are null here; the lists carry them */
        get: operations["loadMarkets_get"];
        put?: never;
        /** As loadMarkets_get */
        post: operations["loadMarkets_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchMarkets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Markets from the catalog, filters before paging; at most 1000 rows, more by meta.nextCursor */
        get: operations["fetchMarkets_get"];
        put?: never;
        /** As fetchMarkets_get */
        post: operations["fetchMarkets_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchMarketsPaginated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One page of markets with total and nextCursor; the cursor works only with the same sort and filters */
        get: operations["fetchMarketsPaginated_get"];
        put?: never;
        /** As fetchMarketsPaginated_get */
        post: operations["fetchMarketsPaginated_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchMarket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The first market that matches; a market id unknown to the catalog is looked up at the venue */
        get: operations["fetchMarket_get"];
        put?: never;
        /** As fetchMarket_get */
        post: operations["fetchMarket_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchEvents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events with their markets from the catalog; at most 200 rows, more by meta.nextCursor */
        get: operations["fetchEvents_get"];
        put?: never;
        /** As fetchEvents_get */
        post: operations["fetchEvents_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchEventsPaginated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One page of events with total and nextCursor; the cursor works only with the same sort and filters */
        get: operations["fetchEventsPaginated_get"];
        put?: never;
        /** As fetchEventsPaginated_get */
        post: operations["fetchEventsPaginated_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchEvent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The first event that matches, with its markets */
        get: operations["fetchEvent_get"];
        put?: never;
        /** As fetchEvent_get */
        post: operations["fetchEvent_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchSeries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Series from the catalog; at most 1000 rows, more by meta.nextCursor */
        get: operations["fetchSeries_get"];
        put?: never;
        /** As fetchSeries_get */
        post: operations["fetchSeries_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchOrderBook": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The book of an outcome: live, otherwise from the venue, otherwise archived; on router, merged with its equals on other venues. since and until: archived snapshots, on plans with replay */
        get: operations["fetchOrderBook_get"];
        put?: never;
        /** As fetchOrderBook_get */
        post: operations["fetchOrderBook_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchOrderBooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Books of up to 100 outcomes by outcome id; ids without a book are named in meta.failed */
        get: operations["fetchOrderBooks_get"];
        put?: never;
        /** As fetchOrderBooks_get */
        post: operations["fetchOrderBooks_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchTrades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Recent public trades of an outcome, newest first from either source; 501 where the venue has no verified tape */
        get: operations["fetchTrades_get"];
        put?: never;
        /** As fetchTrades_get */
        post: operations["fetchTrades_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchOHLCV": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Candles of an outcome, oldest first, in UTC buckets: from start on, or the newest; resolution is a count of s, m, h or d. The venue’s own if it has a grain that divides the resolution and returns any, otherwise made from the trades on our tape: provenance.source is venue-rest or archive */
        get: operations["fetchOHLCV_get"];
        put?: never;
        /** As fetchOHLCV_get */
        post: operations["fetchOHLCV_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchMarketMatches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Markets on other venues that match one, with the matcher's reasons; without a market the best pairs; at most 200 rows */
        get: operations["fetchMarketMatches_get"];
        put?: never;
        /** As fetchMarketMatches_get */
        post: operations["fetchMarketMatches_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchMatches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Same as fetchMarketMatches */
        get: operations["fetchMatches_get"];
        put?: never;
        /** As fetchMatches_get */
        post: operations["fetchMatches_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchEventMatches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Events on other venues that share questions with one; without an event the best pairs; at most 50 rows */
        get: operations["fetchEventMatches_get"];
        put?: never;
        /** As fetchEventMatches_get */
        post: operations["fetchEventMatches_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/compareMarketPrices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Best prices of YES on every other venue that asks exactly the same; the market’s own in meta.source; without a market, all such pairs */
        get: operations["compareMarketPrices_get"];
        put?: never;
        /** As compareMarketPrices_get */
        post: operations["compareMarketPrices_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchRelatedMarkets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Markets on other venues that can only be YES when this one is (subset), or must be (superset); complement and disjoint when requested */
        get: operations["fetchRelatedMarkets_get"];
        put?: never;
        /** As fetchRelatedMarkets_get */
        post: operations["fetchRelatedMarkets_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchHedges": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Markets on other venues that hedge this one, by relation (complement, subset, superset, disjoint), each with the answers it hedges */
        get: operations["fetchHedges_get"];
        put?: never;
        /** As fetchHedges_get */
        post: operations["fetchHedges_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchMatchedMarkets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The 5,000 most certain pairs of matched markets, widest price difference first; last prices of YES, before fees and depth */
        get: operations["fetchMatchedMarkets_get"];
        put?: never;
        /** As fetchMatchedMarkets_get */
        post: operations["fetchMatchedMarkets_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchMatchedPrices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Same as fetchMatchedMarkets */
        get: operations["fetchMatchedPrices_get"];
        put?: never;
        /** As fetchMatchedPrices_get */
        post: operations["fetchMatchedPrices_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/fetchArbitrage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Cross-venue pairs of the same question, priced with fees at the requested size; at most 1000 rows */
        get: operations["fetchArbitrage_get"];
        put?: never;
        /** As fetchArbitrage_get */
        post: operations["fetchArbitrage_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/getExecutionPrice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Volume-weighted price of an amount against a given book; null with meta.reason when it cannot be filled */
        get: operations["getExecutionPrice_get"];
        put?: never;
        /** As getExecutionPrice_get */
        post: operations["getExecutionPrice_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/getExecutionPriceDetailed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Price, filled amount and reason of an amount against a given book; price is null unless it fills whole */
        get: operations["getExecutionPriceDetailed_get"];
        put?: never;
        /** As getExecutionPriceDetailed_get */
        post: operations["getExecutionPriceDetailed_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/filterMarkets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The given markets that match a text or criteria */
        get: operations["filterMarkets_get"];
        put?: never;
        /** As filterMarkets_get */
        post: operations["filterMarkets_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/filterEvents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The given events that match a text or criteria */
        get: operations["filterEvents_get"];
        put?: never;
        /** As filterEvents_get */
        post: operations["filterEvents_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/has": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Capabilities by name: true, false or emulated; volume24h names its mechanism */
        get: operations["has_get"];
        put?: never;
        /** As has_get */
        post: operations["has_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/{exchange}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Nothing to release: always succeeds */
        get: operations["close_get"];
        put?: never;
        /** As close_get */
        post: operations["close_post"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/feeds": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Names of the reference feeds */
        get: operations["listFeeds"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/feeds/{feed}/loadMarkets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Pairs of a reference feed, by symbol */
        get: operations["loadFeedMarkets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/feeds/{feed}/fetchTicker": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ticker of a pair; prices are null if nothing proves one now, and info.unproven says why */
        get: operations["fetchFeedTicker"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/feeds/{feed}/fetchTickers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tickers of many pairs, by symbol; all pairs by default */
        get: operations["fetchFeedTickers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/feeds/{feed}/fetchOracleRound": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest round of an oracle, as stored on its chain; asOf is when it was written */
        get: operations["fetchOracleRound"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/feeds/{feed}/fetchOracleHistory": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Recent rounds of an oracle, newest first; unrecorded rounds are left out, so there may be fewer */
        get: operations["fetchOracleHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One page of an outcome’s tape: rows as NDJSON, then one cursor line, or CSV or Parquet; compressed as Accept-Encoding asks (zstd, gzip) */
        get: operations["replayHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/arbitrage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Stretches in which a row of the arbitrage surface was executable: rows as NDJSON, then one cursor line */
        get: operations["replayArbitrage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/coverage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Gaps of the tape, of one outcome or of a venue’s outcomes in id order; everything received by meta.completeUntil is on it */
        get: operations["getHistoryCoverage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Parquet files of whole days, one per day, venue and kind: rows, size and checksum; newest day first */
        get: operations["listHistoryFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/history/files/{date}/{venue}/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The Parquet file of a day, venue and kind; Range resumes a download; ETag is the SHA-256 */
        get: operations["downloadHistoryFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/arbitrage/structures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Legs of several markets that cannot all lose (implications, partitions, ladders, exclusions), with depth and fees: executable ones first, then by edge; pass nextCursor back as cursor */
        get: operations["listStructures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account and the calling key: plan, scopes, limits, credits, spend caps */
        get: operations["getAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/usage": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Calls and credits of the account by UTC day and operation, and by key */
        get: operations["getAccountUsage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/account/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account’s keys, newest first, revoked ones too; never the key itself */
        get: operations["listAccountKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/funding/hyperliquid/steps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Spot readiness of a Hyperliquid account: total minus hold, and no transfer steps */
        post: operations["getHyperliquidFundingSteps"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/venues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The execution lanes of this deployment and what each can do */
        get: operations["listExecVenues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/executions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account’s executions, newest first */
        get: operations["listExecutions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/executions/{executionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One execution as stored, with the summary of its artifact; does not read from the venue */
        get: operations["getExecution"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/{venue}/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account’s fills at a venue, oldest first: an append-only tape */
        get: operations["listExecTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account’s orders and modifications across venues, newest first */
        get: operations["listOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/orders/in-doubt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Executions whose outcome is unknown, newest first: what each waits for, and what its owner can do */
        get: operations["listUnresolvedOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/{venue}/orders/build": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Builds an order or redemption, unsigned; with dryRun a preview that writes nothing */
        post: operations["buildExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/{venue}/orders/{executionId}/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Relays an execution once; repeating the key only returns the result */
        post: operations["submitExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/{venue}/orders/{executionId}/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reads the status from the venue and folds it into an execution in flight */
        post: operations["refreshExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/{venue}/orders/{executionId}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Settles an execution in flight as its owner states; with the fields of refresh, the venue is read first */
        post: operations["resolveExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/{venue}/orders/{executionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Builds the cancel of an execution: a new execution, submitted by its own id */
        post: operations["cancelExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/{venue}/orders/{executionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Discards a built execution that was never sent, and frees the spend cap it holds */
        delete: operations["discardExecution"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/{venue}/orders/{executionId}/modify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Builds a change to an order: a new execution, submitted by its own id */
        post: operations["modifyExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/{venue}/orders/{executionId}/replace": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Builds the change of an order, or its cancel and a new order that can be submitted once it is canceled */
        post: operations["replaceExecution"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/{venue}/orders/{executionId}/reservations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Holds the right to submit an execution for 60 seconds */
        post: operations["createReservation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/{venue}/orders/{executionId}/reservations/{reservationId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Releases the right to submit */
        delete: operations["deleteReservation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/halt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The halts that apply to the account now, including the operator’s */
        get: operations["getHalts"];
        put?: never;
        /** Stops the account’s trading, everywhere or at one venue: after the response, only cancels and redemptions are sent */
        post: operations["haltTrading"];
        /** Lifts a halt that the account has set; an operator’s halt stays */
        delete: operations["resumeTrading"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/batch/build": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Builds up to 20 orders or redemptions; with dryRun previews that write nothing */
        post: operations["batchBuild"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/batch/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Relays up to 20 executions once each; repeating the key only returns the results */
        post: operations["batchSubmit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/orders/cancel-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Builds the cancels of up to 200 orders in flight, to be signed and submitted */
        post: operations["cancelAll"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/cancel-after": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The dead man’s switch of the account, and the cancels that its last lapse built */
        get: operations["getCancelAfter"];
        put?: never;
        /** Sets the dead man’s switch: unless it is set again in time, the cancels of the orders in flight are built */
        post: operations["setCancelAfter"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/{venue}/schedule-cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Builds the venue’s own dead man’s switch, to be signed and sent by the account itself */
        post: operations["scheduleVenueCancel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/conditional": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account’s conditional orders across venues, newest first */
        get: operations["listConditionals"];
        put?: never;
        /** Arms a conditional order: a built execution is submitted when the market trades through a price */
        post: operations["armConditional"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/conditional/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One conditional order with its events */
        get: operations["getConditional"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/conditional/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels a conditional order that has not fired; repeating it is harmless */
        post: operations["cancelConditional"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/conditional/{id}/report": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reports the outcome of a conditional order that triggered in client mode; repeating it is harmless */
        post: operations["reportConditional"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/conditional/bracket": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Arms a take-profit and a stop once an entry order has ended, sized by what was filled of it; client mode */
        post: operations["createBracket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/conditional/bracket/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One bracket, with the conditional orders that were armed from it */
        get: operations["getBracket"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/conditional/bracket/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels a bracket whose entry has not ended; repeating it is harmless */
        post: operations["cancelBracket"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/algorithms": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account’s execution algorithms across venues, newest first */
        get: operations["listAlgorithms"];
        put?: never;
        /** Starts an execution algorithm: TWAP, iceberg, peg, or passive-then-aggressive */
        post: operations["createAlgorithm"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/algorithms/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One execution algorithm with its slices and benchmark */
        get: operations["getAlgorithm"];
        put?: never;
        post?: never;
        /** Cancels an execution algorithm: no further slice is sent, and the live one is withdrawn; repeating it is harmless */
        delete: operations["cancelAlgorithm"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/router/plan": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The best split of a purchase or a sale over all verified equal markets, as unsigned orders; stored and built with persist, otherwise a dry run */
        post: operations["routerPlan"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/router/arbitrage/{clusterId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The two legs of a cluster, or of one of its rows, at the size and the edge available now; refused below minEdge; stored and built with persist */
        post: operations["routerArbitrage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/router/structures/{structureId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The legs of a structure at the size and the edge available now; refused below minEdge; stored and built with persist */
        post: operations["routerStructure"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/router/groups": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account’s kept plans, newest first */
        get: operations["listRouterGroups"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/router/groups/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A kept plan: its legs with their executions, its status, what it lacks, and its realised edge next to the quoted one */
        get: operations["getRouterGroup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/router/groups/{id}/close": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A plan that closes what a group lacks once all its legs have ended: buys what is missing, or sells what is too much */
        post: operations["closeRouterGroup"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account’s webhook endpoints, newest first, without their secrets */
        get: operations["listWebhooks"];
        put?: never;
        /** Registers an endpoint; its signing secret is returned only here. Events of orders need the scope trade */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Deletes an endpoint and its deliveries */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /** Pauses an endpoint or resumes it; what happens while it is paused is queued, at most 1,000 deliveries */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/v1/webhooks/{id}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A new signing secret, returned only here; the previous one also signs for 24 hours */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Queues a delivery of the event webhook.test; at most 20 tests and resends per minute and endpoint */
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Deliveries of an endpoint; pass nextCursor back as after */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{id}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sends a delivery again with the same id and bytes; a waiting one is due at once */
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traders/smart-money": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Scored trades of known wallets, newest first; the wallet’s score and category are those at the trade */
        get: operations["listSmartMoney"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traders/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Wallets of all venues by score, each with its venue; by score only, over all time */
        get: operations["getScoreLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traders/{venue}/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The venue’s own leaderboard by profit or volume, or its wallets by our score, which covers all time */
        get: operations["getTraderLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traders/{venue}/markets/{marketId}/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Trades of a market with the wallets that made them, newest first; what the venue does not prove is null */
        get: operations["listTraderTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traders/{venue}/markets/{marketId}/holders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Holders of a market’s outcomes, largest first */
        get: operations["listTraderHolders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traders/{venue}/wallets/{addr}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A wallet’s score and figures: those that the venue publishes are its own, the others come from our record */
        get: operations["getTraderWallet"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/traders/{venue}/wallets/{addr}/trades": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Trades of a wallet, newest first; a wallet that was never seen trading is 404 */
        get: operations["listWalletTrades"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/accounts/{venue}/{accountId}/open-orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Open orders of an account that its venue or its chain shows publicly, newest first */
        get: operations["listOpenOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/venues/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The newest figure of each venue and metric, with its reporting day, unit and source; an untracked venue is {} */
        get: operations["getVenueMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bridge/quote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The cost of moving money to a venue: the provider’s payment options; a session takes the paymentCurrency of one */
        post: operations["quoteBridge"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bridge/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Creates a session for the caller to pay: what to sign and broadcast, as the provider returned it */
        post: operations["createBridgeSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bridge/session/{id}/payment": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Reports how a session was paid: the hash of the transaction sent, or the signature where paymentAction is signTypedData */
        post: operations["reportBridgePayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/bridge/session/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A session of the account: paymentStatus, and sponsoredTransactionHash once the money has arrived */
        get: operations["getBridgeSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sports/fixtures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Games of all venues by kickoff, and the bets on each; pass nextCursor back as cursor */
        get: operations["listFixtures"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sports/fixtures/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A game with every market that venues list on it, and which result each outcome stands for */
        get: operations["getFixture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sports/screen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Games that have one kind of bet, with the best price for each of its results and every venue’s, from live books */
        get: operations["getSportsScreen"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sports/compare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One kind of bet on one game across venues, line by line, with margin-free prices */
        get: operations["compareFixture"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/sports/facets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Sports, competitions, venues, statuses and market types of the fixtures in the list’s own window, with their counts */
        get: operations["listSportsFacets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching/templates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Pairs of question texts, with placeholders for what they share, that need a decision: the most valuable first */
        get: operations["listTemplatePairs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching/templates/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A template pair with pairs of markets that reduce to it, their fields and rules, and its decisions */
        get: operations["getTemplatePair"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching/templates/{key}/decide": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Decides how two texts relate: applied to every pair of markets that reduces to them, from the next run on */
        post: operations["decideTemplatePair"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching/templates/{key}/withdraw": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Withdraws the decision on a template pair: the matcher decides again */
        post: operations["withdrawTemplateDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The operators’ decisions on template pairs that apply, newest first, as importTemplateDecisions reads them */
        get: operations["listTemplateDecisions"];
        put?: never;
        /** Records decisions of other deployments; decisions that apply here stay, unless they are replaced */
        post: operations["importTemplateDecisions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching/priceDifferences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Verified pairs whose prices differ by more than both books cost for an hour and that need a review: the last demoted first; pass nextCursor back as cursor */
        get: operations["listPriceDifferences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/matching/priceDifferences/review": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pins or forbids a pair that was demoted because of its prices, or withdraws that: applied from the next run on */
        post: operations["reviewPriceDifference"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portfolio/positions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account’s positions over all venues: cost, realized and unrealized PnL, and three marks */
        get: operations["listPositions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portfolio/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Totals by venue and currency, and by currency: cash flow, fees, PnL and value, and what is unknown in each */
        get: operations["getPortfolioSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portfolio/fills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The account’s fills over all venues in the same terms, oldest first; withdrawn ones are marked */
        get: operations["listPortfolioFills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portfolio/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Realized PnL, fees, deposits and trading by day or month (UTC), venue and currency */
        get: operations["getPortfolioHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portfolio/statements/{period}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A day or month (UTC): positions before and after, every entry, and what was added */
        get: operations["getStatement"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portfolio/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the account’s owner entered, oldest first */
        get: operations["listPortfolioImports"];
        put?: never;
        /** Enters a position that was acquired elsewhere, or a transfer of cash; once per venue and ref */
        post: operations["createPortfolioImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portfolio/reconcile": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Compares the account’s positions with those that venues show of it; changes nothing */
        post: operations["reconcilePortfolio"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portfolio/redeemable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Shares of resolved markets that pay something and are not redeemed, with the body that redeems each */
        get: operations["listRedeemable"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/portfolio/exposure": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What the account’s positions can pay together: worst case, best case and locked profit over markets that ask the same or related questions, largest capital first */
        get: operations["getExposure"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/exec/risk-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The risk limits that apply to orders of this key, and how much of them is used now */
        get: operations["getRiskLimits"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/admin/risk-limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The risk limits of an account, or of all accounts */
        get: operations["listRiskLimits"];
        /** Sets or replaces a risk limit: after the response, no order is sent that it refuses */
        put: operations["setRiskLimit"];
        post?: never;
        /** Removes a risk limit */
        delete: operations["removeRiskLimit"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/paper/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Cash by venue and currency, positions, and the number of working orders of a paper account */
        get: operations["getPaperAccount"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/paper/account/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Cancels all orders of a paper account, gives up its positions, and sets its cash to the start amount */
        post: operations["resetPaperAccount"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/paper/account/deposit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Pays cash into a paper account at one venue */
        post: operations["depositPaperCash"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/paper/orders": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The orders of a paper account, newest first, with their place in the queue */
        get: operations["listPaperOrders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/paper/orders/{executionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One order of a paper account */
        get: operations["getPaperOrder"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/paper/orders/{executionId}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Requests the cancel of a paper order, which takes effect when it reaches the book; may be repeated */
        post: operations["cancelPaperOrder"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/paper/fills": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The fills of a paper account with the book and the trades that each follows from */
        get: operations["listPaperFills"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "ingest.run.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The catalog ingest of a venue finished a run */
        post: operations["on.ingest.run.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "matcher.run.completed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The cross-venue matcher finished a run */
        post: operations["on.matcher.run.completed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "execution.status.changed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An execution of the account committed another status */
        post: operations["on.execution.status.changed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "execution.cancel_after.lapsed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The dead man’s switch of the account lapsed */
        post: operations["on.execution.cancel_after.lapsed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conditional.triggered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A conditional order triggered */
        post: operations["on.conditional.triggered"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conditional.fired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The execution of a conditional order was submitted */
        post: operations["on.conditional.fired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conditional.fire_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A conditional order triggered and could not be submitted */
        post: operations["on.conditional.fire_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "conditional.expired": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A conditional order ended without a trigger */
        post: operations["on.conditional.expired"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Requested by the owner of the endpoint; cannot be registered for */
        post: operations["on.webhook.test"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        Account: {
            /** Format: uuid */
            accountId: string;
            name: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: uuid */
            keyId: string;
            plan: components["schemas"]["PlanName"];
            scopes: ("read" | "trade" | "review" | "admin")[];
            features: {
                [key: string]: boolean;
            };
            limits: {
                requestsPerMinute: number;
                /** @description null: not limited */
                creditsPerMonth: number | null;
                streamConnections: number;
                subscriptionsPerConnection: number;
                /** @description null: the whole history */
                historyDays: number | null;
            };
            credits: components["schemas"]["Credits"];
            /** @description Caps of the account and of this key; empty: not capped */
            spendCaps: components["schemas"]["SpendCap"][];
        };
        AccountKey: {
            /** Format: uuid */
            keyId: string;
            /** @description The first characters of the key, to recognise it by */
            prefix: string;
            plan: components["schemas"]["PlanName"];
            scopes: ("read" | "trade" | "review" | "admin")[];
            /** @description It works: not revoked as of now */
            live: boolean;
            /** Format: date-time */
            createdAt: string;
            /**
             * Format: date
             * @description UTC; null: never used
             */
            lastUsedDay: string | null;
            /**
             * Format: date-time
             * @description May lie ahead: a rotated key that works until then
             */
            revokedAt: string | null;
        };
        AlgorithmParameters: {
            /** @constant */
            kind: "twap";
            slices: number;
            durationMs: number;
            /**
             * @description `take`: each slice is immediate-or-cancel; `rest`: it rests at the limit price until the next one
             * @default take
             * @enum {string}
             */
            style: "take" | "rest";
        } | {
            /** @constant */
            kind: "iceberg";
            /** @description of each slice */
            displaySize: number | string;
        } | {
            /** @constant */
            kind: "peg";
            /**
             * @description best price that is followed, without the algorithm’s own order
             * @enum {string}
             */
            to: "bid" | "ask";
            /**
             * @description minimum time between two prices
             * @default 5000
             */
            intervalMs: number;
            /** @description of each slice; absent: all that is left */
            displaySize?: number | string;
        } | {
            /** @constant */
            kind: "passive_then_aggressive";
            /** @description how long it rests at the best price of its own side before it takes */
            passiveMs: number;
            /**
             * @description minimum time between two prices, and between two takes
             * @default 5000
             */
            intervalMs: number;
        };
        AlgorithmParametersInput: {
            /** @constant */
            kind: "twap";
            slices: number;
            durationMs: number;
            /**
             * @description `take`: each slice is immediate-or-cancel; `rest`: it rests at the limit price until the next one
             * @default take
             * @enum {string}
             */
            style?: "take" | "rest";
        } | {
            /** @constant */
            kind: "iceberg";
            /** @description of each slice */
            displaySize: number | string;
        } | {
            /** @constant */
            kind: "peg";
            /**
             * @description best price that is followed, without the algorithm’s own order
             * @enum {string}
             */
            to: "bid" | "ask";
            /**
             * @description minimum time between two prices
             * @default 5000
             */
            intervalMs?: number;
            /** @description of each slice; absent: all that is left */
            displaySize?: number | string;
        } | {
            /** @constant */
            kind: "passive_then_aggressive";
            /** @description how long it rests at the best price of its own side before it takes */
            passiveMs: number;
            /**
             * @description minimum time between two prices, and between two takes
             * @default 5000
             */
            intervalMs?: number;
        };
        AlgorithmSlice: {
            number: number;
            status: components["schemas"]["AlgorithmSliceStatus"];
            /** @description null until it has ended */
            outcome: components["schemas"]["AlgorithmSliceOutcome"] | null;
            price: string;
            size: string;
            /** @description immediate-or-cancel; otherwise it rests */
            takes: boolean;
            /** Format: uuid */
            executionId: string | null;
            /**
             * Format: date-time
             * @description while `awaiting_signature`: withdrawn if it was not submitted by then
             */
            signBy: string | null;
            /**
             * Format: uuid
             * @description its cancel; of one that awaits a signature, its owner submits this execution too
             */
            cancelExecutionId: string | null;
            /** @description null: unknown */
            filledSize: string | null;
            error: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            endedAt: string | null;
        };
        /**
         * @description `refused`: it was not built or not sent, and `error` says why. `unsigned`: it was not submitted in time. `withdrawn`: it was not sent, and no longer wanted
         * @enum {string}
         */
        AlgorithmSliceOutcome: "filled" | "canceled" | "expired" | "failed" | "refused" | "unsigned" | "withdrawn";
        /**
         * @description `planned`: signed in advance. `decided`: about to be built. `awaiting_signature`: built, its owner may submit it. `ready`: about to be sent from here. `sent`: at the venue, or its outcome is unknown
         * @enum {string}
         */
        AlgorithmSliceStatus: "planned" | "decided" | "awaiting_signature" | "ready" | "sent" | "ended";
        /** @enum {string} */
        AlgorithmStatus: "running" | "ending" | "completed" | "canceled" | "expired" | "failed";
        /**
         * @description `book_not_live`: nothing is decided on a book that is not proven. `outcome_unknown`: refresh or resolve the execution. `fill_unknown`: the venue has not reported what was filled. `earlier_slice_open`: the venue shows an ended slice as open again
         * @enum {string}
         */
        AlgorithmWait: "not_started" | "book_not_live" | "price_beyond_limit" | "no_price_to_follow" | "next_interval" | "min_interval" | "slice_unsent" | "awaiting_signature" | "slice_open" | "outcome_unknown" | "fill_unknown" | "cancel_awaiting_signature" | "cancel_unconfirmed" | "earlier_slice_open" | "halted" | "refused";
        Amount: number | string;
        ArbitrageLeg: {
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
        ArbitrageLine: {
            /** @constant */
            k: "arbitrage";
            clusterId: string;
            /** @description venue */
            buyYes: string;
            /** @description venue */
            buyNo: string;
            /** @description epoch ms */
            firstSeen: number;
            lastSeen: number;
            ended: boolean;
            /** @description USD */
            bestEdge: number;
            bestAt: number;
            /** @description as it was published then */
            best: components["schemas"]["ArbitrageReadRow"];
        };
        ArbitrageReadRow: {
            clusterId: string;
            question: string;
            similarity: number | null;
            contracts: number;
            legs: {
                buyYes: components["schemas"]["ArbitrageLeg"];
                buyNo: components["schemas"]["ArbitrageLeg"];
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
            matchBand: components["schemas"]["MatchBand"];
            matchDifferences: components["schemas"]["MatchDifference"][];
            executable: boolean;
            reasons: string[];
            /** @enum {string} */
            label: "arbitrage" | "indicative price discrepancy";
            asOf: string | null;
            marketA?: unknown;
            marketB?: unknown;
            spread?: number | null;
            buyVenue?: string;
            sellVenue?: string;
            buyPrice?: number | null;
            sellPrice?: number | null;
            relation?: "identity" | null;
            confidence?: number | null;
        };
        ArbitrageReplayLine: components["schemas"]["ArbitrageLine"] | components["schemas"]["CursorLine"];
        BookLevel: {
            price: number;
            size: number;
        };
        Bracket: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            entryExecutionId: string;
            venue: string;
            status: components["schemas"]["BracketStatus"];
            filledSize: string | null;
            /** Format: uuid */
            takeProfitId: string | null;
            /** Format: uuid */
            stopLossId: string | null;
            /** Format: uuid */
            ocoGroupId: string;
            /** Format: date-time */
            expiresAt: string;
            lastError: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        /** @enum {string} */
        BracketStatus: "waiting" | "arming" | "armed" | "unfilled" | "failed" | "canceled" | "expired";
        BridgeMeta: {
            /** Format: date-time */
            asOf: string;
            provenance: components["schemas"]["Provenance"];
            settlement?: {
                /** @description CAIP-2 */
                chain: string;
                token: string;
                symbol: string;
                decimals: number | null;
                recipient: string;
                /** @description what is left to do once it has arrived */
                afterwards: string | null;
            };
        };
        BridgeOption: {
            paymentCurrency: string;
        } & {
            [key: string]: unknown;
        };
        BridgePaymentTaken: {
            /** @constant */
            success: true;
        } & {
            [key: string]: unknown;
        };
        BridgeSession: {
            sessionId: string;
            /** @description signAndSendTransaction, or signTypedData where the payer needs no gas */
            paymentAction?: string | null;
        } & {
            [key: string]: unknown;
        };
        BuiltItem: {
            /** @constant */
            ok: true;
            /**
             * @description an earlier request with this Idempotency-Key did it
             * @constant
             */
            replay?: true;
            data: components["schemas"]["Execution"];
            /** @constant */
            dryRun?: true;
            warnings?: string[];
        } | {
            /** @constant */
            ok: false;
            error: components["schemas"]["ItemError"];
        };
        CancelAfter: {
            /** @description null: it is off */
            armed: {
                seconds: number;
                venues: string[] | null;
                /** Format: date-time */
                deadline: string;
            } | null;
            /** @description null: it has never lapsed */
            lastLapse: {
                /** Format: uuid */
                id: string;
                /** Format: date-time */
                deadline: string;
                /**
                 * @description lapsed: the cancels are being built
                 * @enum {string}
                 */
                status: "lapsed" | "done";
                /** @description null until it is done */
                result: {
                    /** @description orders that were in flight, newest first within a venue */
                    orders: components["schemas"]["LapsedCancel"][];
                    /** @description further orders that were in flight: build their cancels with cancel-all */
                    remaining: number;
                } | null;
            } | null;
        };
        CancelAfterLapsed: {
            /** Format: uuid */
            cancelAfterId: string;
            /** Format: date-time */
            deadline: string;
            /** @description cancels, to be signed and submitted */
            built: number;
            /** @description orders whose cancel could not be built */
            refused: number;
            /** @description further orders in flight that were not selected */
            remaining: number;
            /** Format: date-time */
            occurredAt: string;
        };
        /**
         * @description At gemini, hyperliquid, kalshi, limitless, myriad, opinion, polymarket, polymarket_us, pred, predictfun, predictstreet
         * @example {}
         */
        CancelBody: Record<string, never>;
        Candle: {
            timestamp: number;
            open: number;
            high: number;
            low: number;
            close: number;
            volume: number | null;
        };
        CandleLine: {
            /** @constant */
            k: "candles";
            /** @description start of the bucket, epoch ms */
            ts: number;
            venue: string;
            resolution: string;
            open: number;
            high: number;
            low: number;
            close: number;
            /** @description contracts or shares */
            volume: number;
            trades: number;
        };
        CatalogId: string | number;
        /** @example {} */
        CloseArguments: Record<string, never>;
        ComparedVenue: {
            venue: string;
            overround: number | null;
            outcomes: {
                venue: string;
                marketId: string;
                outcomeId: string;
                bid: number | null;
                bidSize: number | null;
                ask: number | null;
                askSize: number | null;
                /** @enum {string} */
                state: "live" | "stale" | "none";
                /** Format: date-time */
                asOf: string | null;
                outcome: string;
                noVig: number | null;
            }[];
        };
        Comparison: {
            fixture: components["schemas"]["Fixture"];
            marketType: string;
            period: string;
            slot: string;
            /** @constant */
            method: "proportional";
            lines: {
                line: number | null;
                outcomes: {
                    outcome: string;
                    name: string;
                    best: {
                        venue: string;
                        marketId: string;
                        outcomeId: string;
                        price: number;
                        size: number;
                    } | null;
                    noVig: number | null;
                }[];
                venues: components["schemas"]["ComparedVenue"][];
            }[];
        };
        ConditionalCancel: {
            /** Format: uuid */
            conditionalId: string;
            /** @constant */
            ok: true;
            /**
             * @description an earlier request with this Idempotency-Key did it
             * @constant
             */
            replay?: true;
            data: components["schemas"]["ConditionalOrder"];
        } | {
            /** Format: uuid */
            conditionalId: string;
            /** @constant */
            ok: false;
            error: components["schemas"]["ItemError"];
        };
        ConditionalEvent: {
            id: number;
            /** Format: date-time */
            ts: string;
            /** @enum {string} */
            actor: "api" | "trigger_engine" | "exec_fire" | "expiry";
            fromStatus: components["schemas"]["ConditionalStatus"] | null;
            toStatus: components["schemas"]["ConditionalStatus"];
            evidence: components["schemas"]["JsonObject"] | null;
        };
        ConditionalOrder: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            executionId: string;
            venue: string;
            marketId: string;
            outcomeId: string;
            status: components["schemas"]["ConditionalStatus"];
            fireMode: components["schemas"]["FireMode"];
            trigger: components["schemas"]["TriggerRule"];
            triggerEvidence: components["schemas"]["JsonObject"] | null;
            /** Format: date-time */
            triggeredAt: string | null;
            /** Format: date-time */
            expiresAt: string;
            fireAttempts: number;
            lastError: string | null;
            /** Format: uuid */
            ocoGroupId: string | null;
            armCountry: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            events?: components["schemas"]["ConditionalEvent"][];
        };
        /** @enum {string} */
        ConditionalStatus: "armed" | "triggered" | "firing" | "fired" | "fire_failed" | "canceled" | "expired" | "superseded";
        ConditionalStatusChanged: {
            /** Format: uuid */
            conditionalId: string;
            /** Format: uuid */
            executionId: string;
            venue: string;
            marketId: string;
            outcomeId: string;
            fireMode: components["schemas"]["FireMode"];
            /** Format: uuid */
            ocoGroupId: string | null;
            status: components["schemas"]["ConditionalStatus"];
            previousStatus: components["schemas"]["ConditionalStatus"];
            fireAttempts: number;
            lastError: string | null;
            triggerEvidence: components["schemas"]["JsonObject"] | null;
            /** Format: date-time */
            occurredAt: string;
        };
        Coverage: {
            /** @enum {string} */
            mechanism: "ws-lossless" | "ws-top20" | "rest-adaptive" | "rest-top-of-book" | "synthetic-spot";
            /** Format: date-time */
            tapeSince: string | null;
            /** Format: date-time */
            tradesSince: string | null;
            /** Format: date-time */
            tradesUntil: string | null;
            effectiveIntervalMs: number | null;
            gaps24h: number;
            /** Format: date-time */
            lastGapAt: string | null;
        };
        Credits: {
            /** @description Usage is counted and never refused; there is no balance */
            unlimited: boolean;
            /** @description What the account has, including what running gateways hold */
            balance: number | null;
            /** @description The part of the balance set aside by running gateways */
            leased: number | null;
            /** @description Included in the plan for the current month; null if the plan includes none */
            included: {
                /** @description YYYY-MM, UTC */
                month: string;
                credits: number;
            } | null;
        };
        CursorLine: {
            /** @constant */
            k: "cursor";
            /** @description null: exhausted */
            next: string | null;
            /** @description rows on the page */
            rows: number;
        };
        /** @enum {string} */
        DeliveredEvent: "ingest.run.completed" | "matcher.run.completed" | "execution.status.changed" | "execution.cancel_after.lapsed" | "conditional.triggered" | "conditional.fired" | "conditional.fire_failed" | "conditional.expired" | "webhook.test";
        DepthLine: {
            /** @constant */
            k: "l2";
            /** @description event time, epoch ms */
            ts: number;
            /** @enum {string} */
            type: "start" | "snapshot" | "delta" | "same" | "gap";
            side: ("bid" | "ask") | null;
            price: number | null;
            size: number | null;
            /** @description when it was received, epoch ms */
            recvTs: number;
            /** @description increases by one with every change within an epoch */
            seq: number;
            epoch: number;
        };
        Event: {
            id: string;
            title: string;
            description: string;
            slug: string;
            markets: components["schemas"]["Market"][];
            volume24h: number | null;
            volume24hSource?: components["schemas"]["VolumeSources"];
            volume: number | null;
            url: string;
            image?: string;
            category?: string;
            tags?: string[];
            seriesId: string | null;
            sourceExchange: string;
            sourceMetadata: {
                [key: string]: unknown;
            };
        };
        EventCriteria: {
            text?: string;
            searchIn?: ("title" | "description" | "category" | "tags" | "outcomes")[];
            category?: string;
            tags?: string | string[];
            marketCount?: components["schemas"]["Range"];
            totalVolume?: components["schemas"]["Range"];
        };
        Execution: {
            /** Format: uuid */
            executionId: string;
            venue: string;
            intent: components["schemas"]["Intent"];
            status: components["schemas"]["ExecutionStatus"];
            unsigned: components["schemas"]["JsonObject"];
            buildVersion: number;
            submittedArtifact: components["schemas"]["JsonObject"] | null;
            venueRef: string | null;
            matchedSize: string | null;
            notionalUsd: number | null;
            feeEstimate: components["schemas"]["JsonObject"] | null;
            error: string | null;
            collateral?: components["schemas"]["JsonObject"];
            buildResult?: components["schemas"]["JsonObject"];
            warnings?: string[];
            /** Format: uuid */
            targetExecutionId?: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            summary?: components["schemas"]["ExecutionSummary"] | null;
            fills?: components["schemas"]["JsonObject"][];
            observation?: components["schemas"]["JsonObject"];
        };
        ExecutionAlgorithm: {
            /** Format: uuid */
            id: string;
            venue: string;
            marketId: string;
            outcomeId: string;
            /** @enum {string} */
            side: "buy" | "sell";
            algorithm: components["schemas"]["AlgorithmParameters"];
            mode: components["schemas"]["FireMode"];
            size: string;
            limitPrice: string;
            sizeStep: string;
            minSliceSize: string;
            postOnly: boolean;
            status: components["schemas"]["AlgorithmStatus"];
            /** @description why nothing is sent now */
            waitsFor: components["schemas"]["AlgorithmWait"] | null;
            lastError: string | null;
            /** @description of all slices; null: not known of one of them */
            filledSize: string | null;
            remainingSize: string | null;
            /** @description of the stored fills of all slices, before fees, to 9 places; null where not all of them are known */
            averagePrice: string | null;
            benchmark: {
                /** @description mid price when it was created; null: the book was not live */
                arrivalMid: string | null;
                /** @description volume-weighted price of the recorded trades from its start to its end; only in reads of one algorithm; null: not known */
                intervalVwap: string | null;
            };
            /** @description slices so far */
            sliceCount: number;
            liveSlice: components["schemas"]["AlgorithmSlice"] | null;
            /** Format: date-time */
            startsAt: string;
            /** Format: date-time */
            expiresAt: string;
            /** Format: date-time */
            endedAt: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /** @description reads of one algorithm: its newest slices, oldest first */
            slices?: components["schemas"]["AlgorithmSlice"][];
        };
        /** @enum {string} */
        ExecutionStatus: "built" | "signed" | "submitted" | "acked" | "filled" | "failed" | "expired" | "canceled";
        ExecutionStatusChanged: {
            /** Format: uuid */
            executionId: string;
            venue: string;
            status: components["schemas"]["ExecutionStatus"];
            previousStatus: components["schemas"]["ExecutionStatus"];
            /** Format: date-time */
            occurredAt: string;
        };
        ExecutionSummary: {
            venue: string;
            intent: components["schemas"]["Intent"];
            side: ("buy" | "sell") | null;
            outcome: {
                instrument: string;
                side: ("YES" | "NO") | null;
                marketId: string | null;
                outcomeId: string | null;
                market: string | null;
                label: string | null;
            } | null;
            price: string | null;
            size: string | null;
            currency: string | null;
            costMax: string | null;
            bringsMin: string | null;
            fee: {
                agreed: components["schemas"]["JsonObject"] | null;
                estimate: components["schemas"]["JsonObject"] | null;
            };
            timeInForce: ("good-til-cancel" | "good-til-date" | "immediate-or-cancel" | "fill-or-kill") | null;
            /** Format: date-time */
            expiresAt: string | null;
            /** @constant */
            postOnly?: true;
            /** @constant */
            reduceOnly?: true;
            clientOrderId?: string;
            /** @enum {string} */
            selfTradePrevention?: "cancel-taker" | "cancel-maker" | "cancel-both";
            orderId: string | null;
            exchange?: components["schemas"]["SharesExchange"];
        };
        /** @enum {string} */
        ExposureBound: "search_limit" | "relations_limit" | "payout_unknown" | "contradiction";
        ExposureGroup: {
            /** @constant */
            by: "group";
            /** @description the first of its markets, `<venue>:<marketId>` */
            groupId: string;
            /** @description `USD` for every dollar and token worth one */
            currency: string | null;
            venues: string[];
            /** @description value of all its positions in the worst outcome; a lower bound unless isExact */
            worstCase: string;
            /** @description in the best outcome; an upper bound unless isExact */
            bestCase: string;
            isExact: boolean;
            /** @description empty if isExact */
            bounds: components["schemas"]["ExposureBound"][];
            /** @description worstCase less capitalUsed; null if a cost is unknown */
            lockedProfit: string | null;
            /** @description bestCase less capitalUsed; null if a cost is unknown */
            bestProfit: string | null;
            /** @description cost basis, fees included; below zero for a short; null if a cost is unknown */
            capitalUsed: string | null;
            /** @description positions without a known cost */
            unknownCosts: number;
            /** @description of the capital used in this currency, 0 to 1, of known costs */
            share: number | null;
            /**
             * Format: date-time
             * @description latest resolution date of its open markets; null if one is unknown
             */
            settlesAt: string | null;
            /** @description 0 if the date has passed */
            daysToSettlement: number | null;
            /** @description worst first */
            outcomes: components["schemas"]["ExposureOutcome"][];
            /** @description false: only the worst and the best that were found */
            hasAllOutcomes: boolean;
            positions: components["schemas"]["ExposurePosition"][];
            /** @description that connect its markets; at most 50 */
            relations: components["schemas"]["ExposureRelation"][];
            relationCount: number;
            notCovered: {
                reason: components["schemas"]["ExposureNotCovered"];
                markets: string[];
            }[];
            /** @description what changes if uncertain relations hold too; null: there are none */
            minorRelations: components["schemas"]["ExposureMinorRelations"] | null;
        };
        ExposureMeta: {
            positions: number;
            groups: number;
            concentration: {
                venues: {
                    venue: string;
                    currency: string | null;
                    /** @description of known costs */
                    capitalUsed: string;
                    unknownCosts: number;
                    share: number | null;
                }[];
                events: {
                    venue: string;
                    eventId: string | null;
                    market: string | null;
                    currency: string | null;
                    /** @description of known costs */
                    capitalUsed: string;
                    unknownCosts: number;
                    share: number | null;
                }[];
                groups: {
                    groupId: string;
                    currency: string | null;
                    /** @description of known costs */
                    capitalUsed: string;
                    unknownCosts: number;
                    share: number | null;
                }[];
            };
        };
        ExposureMinorRelations: {
            /** @description at most 50 */
            relations: components["schemas"]["ExposureRelation"][];
            count: number;
            /** @description ids of the other groups that they connect with this one */
            groups: string[];
            /** @description of all these groups together; null if the relations contradict each other */
            worstCase: string | null;
            bestCase: string | null;
            isExact: boolean;
            bounds: components["schemas"]["ExposureBound"][];
            lockedProfit: string | null;
        };
        /** @enum {string} */
        ExposureNotCovered: "void_or_split" | "settlement_fee" | "currency_unknown" | "not_in_catalog" | "outcome_unknown" | "scalar" | "payout_unknown";
        ExposureOutcome: {
            payoff: string;
            profit: string | null;
            /** @description the held outcomes that come true, or have */
            pays: {
                venue: string;
                marketId: string;
                outcomeId: string;
            }[];
        };
        ExposurePart: {
            /** @enum {string} */
            by: "venue" | "event";
            venue: string;
            eventId: string | null;
            /** @description of a market without an event: `<venue>:<marketId>` */
            market: string | null;
            currency: string | null;
            positions: number;
            markets: number;
            /** @description value of all its positions in the worst outcome; a lower bound unless isExact */
            worstCase: string;
            /** @description in the best outcome; an upper bound unless isExact */
            bestCase: string;
            isExact: boolean;
            /** @description empty if isExact */
            bounds: components["schemas"]["ExposureBound"][];
            /** @description worstCase less capitalUsed; null if a cost is unknown */
            lockedProfit: string | null;
            /** @description bestCase less capitalUsed; null if a cost is unknown */
            bestProfit: string | null;
            /** @description cost basis, fees included; below zero for a short; null if a cost is unknown */
            capitalUsed: string | null;
            /** @description positions without a known cost */
            unknownCosts: number;
            /** @description of the capital used in this currency, 0 to 1, of known costs */
            share: number | null;
            /**
             * Format: date-time
             * @description latest resolution date of its open markets; null if one is unknown
             */
            settlesAt: string | null;
            /** @description 0 if the date has passed */
            daysToSettlement: number | null;
        };
        ExposurePosition: {
            venue: string;
            marketId: string;
            outcomeId: string;
            /** @description title */
            market: string | null;
            label: string | null;
            /** @description below zero: short */
            quantity: string;
            costBasis: string | null;
            /** @description per share, of a resolved market whose payout is not collected */
            payout: string | null;
            /** @description its value in the worst outcome; null if that was not found */
            inWorstCase: string | null;
            inBestCase: string | null;
            resolutionDate: string | null;
        };
        ExposureRelation: {
            id: string;
            kind: string;
            band: components["schemas"]["MatchBand"];
            reason: string | null;
        };
        ExposureRow: components["schemas"]["ExposureGroup"] | components["schemas"]["ExposurePart"];
        /** @enum {string} */
        ExposureView: "group" | "venue" | "event";
        Facets: {
            sports: {
                sport: string;
                fixtures: number;
            }[];
            competitions: {
                id: string;
                name: string;
                sport: string;
                fixtures: number;
            }[];
            venues: {
                venue: string;
                fixtures: number;
            }[];
            statuses: {
                status: components["schemas"]["FixtureStatus"];
                fixtures: number;
            }[];
            marketTypes: {
                marketType: string;
                fixtures: number;
            }[];
        };
        FeedMarket: {
            id: string;
            symbol: string;
            base: string;
            quote: string;
            active: boolean;
            /** @constant */
            type: "spot";
            info: {
                [key: string]: unknown;
            };
        };
        FeedProvenance: {
            /** @enum {string} */
            source: "binance-rest" | "binance-ws" | "chainlink-onchain";
            /**
             * @description true: simulated venues
             * @constant
             */
            lab?: true;
        };
        FeedTicker: {
            symbol: string;
            timestamp: number | null;
            /** Format: date-time */
            datetime: string | null;
            high: number | null;
            low: number | null;
            bid: number | null;
            bidVolume: number | null;
            ask: number | null;
            askVolume: number | null;
            vwap: number | null;
            open: number | null;
            close: number | null;
            last: number | null;
            previousClose: number | null;
            change: number | null;
            percentage: number | null;
            average: number | null;
            baseVolume: number | null;
            quoteVolume: number | null;
            indexPrice: number | null;
            markPrice: number | null;
            info: {
                [key: string]: unknown;
            };
            /** Format: date-time */
            asOf: string;
            provenance: components["schemas"]["FeedProvenance"];
        };
        /**
         * @example {
         *       "contracts": 100,
         *       "executableOnly": true,
         *       "limit": 10
         *     }
         */
        FetchArbitrageArguments: {
            contracts?: number;
            /** @default 50 */
            limit?: number;
            executableOnly?: boolean;
            venues?: string | string[];
            minEdge?: number;
            minSpread?: number;
            category?: string;
            query?: string;
            marketId?: string;
            venue?: string;
            relations?: string | string[];
            /** @default true */
            compat?: boolean;
        };
        /**
         * @example {
         *       "minConfidence": 0.9,
         *       "limit": 10
         *     }
         */
        FetchEventMatchesArguments: {
            eventId?: string;
            slug?: string;
            event?: string | ({
                id: string;
            } & {
                [key: string]: unknown;
            });
            query?: string;
            category?: string;
            relation?: components["schemas"]["MatchRelations"];
            relations?: components["schemas"]["MatchRelations"];
            /** @default 0 */
            minConfidence?: number;
            /** @default 20 */
            limit?: number;
            /** @default true */
            includePrices?: boolean;
        };
        /**
         * @example {
         *       "eventId": "event-KXBTC-26"
         *     }
         */
        FetchEventsArguments: {
            limit?: number;
            offset?: number;
            page?: number;
            cursor?: string;
            /**
             * @default volume
             * @enum {string}
             */
            sort?: "volume" | "liquidity" | "newest";
            /** @enum {string} */
            status?: "active" | "inactive" | "closed" | "resolved" | "all";
            /**
             * @default title
             * @enum {string}
             */
            searchIn?: "title" | "description" | "both";
            query?: string;
            slug?: string;
            marketId?: string;
            outcomeId?: string;
            eventId?: string;
            category?: string;
            tags?: string | string[];
            sourceExchange?: string;
            exchange?: string;
            series?: string;
            filter?: string | components["schemas"]["EventCriteria"];
        };
        /**
         * @example {
         *       "minConfidence": 0.9,
         *       "limit": 10
         *     }
         */
        FetchMarketMatchesArguments: {
            marketId?: string;
            slug?: string;
            url?: string;
            market?: string | ({
                marketId: string;
            } & {
                [key: string]: unknown;
            });
            clusterId?: string;
            query?: string;
            category?: string;
            relation?: components["schemas"]["MatchRelations"];
            relations?: components["schemas"]["MatchRelations"];
            /** @default 0 */
            minConfidence?: number;
            /** @default 50 */
            limit?: number;
            /** @default true */
            includePrices?: boolean;
            minDifference?: number;
            /**
             * @default confidence
             * @enum {string}
             */
            sort?: "confidence" | "volume" | "priceDifference";
        };
        /**
         * @example {
         *       "marketId": "KXBTC-26"
         *     }
         */
        FetchMarketsArguments: {
            limit?: number;
            offset?: number;
            page?: number;
            cursor?: string;
            /**
             * @default volume
             * @enum {string}
             */
            sort?: "volume" | "liquidity" | "newest";
            /** @enum {string} */
            status?: "active" | "inactive" | "closed" | "resolved" | "all";
            /**
             * @default title
             * @enum {string}
             */
            searchIn?: "title" | "description" | "both";
            query?: string;
            slug?: string;
            marketId?: string;
            outcomeId?: string;
            eventId?: string;
            category?: string;
            tags?: string | string[];
            sourceExchange?: string;
            exchange?: string;
            filter?: string | components["schemas"]["MarketCriteria"];
            similarityThreshold?: number;
        };
        /**
         * @example {
         *       "minDifference": 0.05,
         *       "limit": 10
         *     }
         */
        FetchMatchedMarketsArguments: {
            query?: string;
            category?: string;
            relation?: components["schemas"]["MatchRelations"];
            relations?: components["schemas"]["MatchRelations"];
            /** @default 0 */
            minConfidence?: number;
            /** @default 50 */
            limit?: number;
            /** @default 0 */
            minDifference?: number;
        };
        /**
         * @example {
         *       "outcomeId": "KXBTC-26",
         *       "resolution": "1h",
         *       "limit": 24
         *     }
         */
        FetchOHLCVArguments: {
            outcomeId: string;
            resolution: string;
            start?: components["schemas"]["Time"];
            end?: components["schemas"]["Time"];
            /** @default 500 */
            limit?: number;
        };
        /**
         * @example {
         *       "outcomeId": "KXBTC-26",
         *       "limit": 5
         *     }
         */
        FetchOrderBookArguments: {
            outcomeId: string;
            limit?: number | ("yes" | "no");
            /** @enum {string} */
            side?: "yes" | "no";
            outcome?: string;
            since?: components["schemas"]["Time"];
            until?: components["schemas"]["Time"];
            /** @default true */
            merged?: boolean;
        };
        /**
         * @example {
         *       "outcomeIds": [
         *         "KXBTC-26"
         *       ]
         *     }
         */
        FetchOrderBooksArguments: {
            outcomeIds: string[];
        };
        /**
         * @example {
         *       "id": "s1"
         *     }
         */
        FetchSeriesArguments: {
            id?: string;
            slug?: string;
            query?: string;
            recurrence?: string;
            /** @default 100 */
            limit?: number;
            offset?: number;
            cursor?: string;
            sourceExchange?: string;
        };
        /**
         * @example {
         *       "outcomeId": "71321045679252212594626385532706912750332728571942532289631379312455583992563",
         *       "limit": 50
         *     }
         */
        FetchTradesArguments: {
            outcomeId: string;
            start?: components["schemas"]["Time"];
            end?: components["schemas"]["Time"];
            /** @default 100 */
            limit?: number;
            resolution?: string;
        };
        Fill: {
            fillId: string;
            /** Format: uuid */
            executionId: string;
            venue: string;
            fill: components["schemas"]["JsonObject"];
            /** Format: date-time */
            filledAt: string;
        };
        /**
         * @example {
         *       "events": [
         *         {
         *           "title": "Yes we can"
         *         }
         *       ],
         *       "criteria": "yes"
         *     }
         */
        FilterEventsArguments: {
            events: {
                [key: string]: unknown;
            }[];
            criteria: string | components["schemas"]["EventCriteria"];
        };
        /**
         * @example {
         *       "markets": [
         *         {
         *           "title": "Yes we can"
         *         }
         *       ],
         *       "criteria": "yes"
         *     }
         */
        FilterMarketsArguments: {
            markets: {
                [key: string]: unknown;
            }[];
            criteria: string | components["schemas"]["MarketCriteria"];
        };
        /** @enum {string} */
        FireMode: "hosted" | "client";
        Fixture: {
            fixtureId: string;
            sport: string | null;
            competition: {
                id: string;
                name: string;
                timeZone: string;
            } | null;
            home: components["schemas"]["Team"] | null;
            away: components["schemas"]["Team"] | null;
            teams: components["schemas"]["Team"][];
            /** Format: date-time */
            kickoffAt: string | null;
            /** @enum {string} */
            kickoffPrecision: "exact" | "date";
            /** Format: date */
            eventDate: string;
            status: components["schemas"]["FixtureStatus"];
            venues: string[];
            market: components["schemas"]["ScreenMarket"] | null;
            markets: components["schemas"]["MarketDescriptor"][];
            unplaced: {
                [key: string]: number;
            };
            stale?: boolean;
        };
        FixtureDetail: {
            fixtureId: string;
            sport: string | null;
            competition: {
                id: string;
                name: string;
                timeZone: string;
            } | null;
            home: components["schemas"]["Team"] | null;
            away: components["schemas"]["Team"] | null;
            teams: components["schemas"]["Team"][];
            /** Format: date-time */
            kickoffAt: string | null;
            /** @enum {string} */
            kickoffPrecision: "exact" | "date";
            /** Format: date */
            eventDate: string;
            status: components["schemas"]["FixtureStatus"];
            venues: string[];
            market: components["schemas"]["ScreenMarket"] | null;
            markets: components["schemas"]["MarketDescriptor"][];
            unplaced: {
                [key: string]: number;
            };
            stale?: boolean;
            placements: components["schemas"]["Placement"][];
        };
        /** @enum {string} */
        FixtureStatus: "scheduled" | "live" | "final" | "postponed" | "cancelled";
        /**
         * @example {
         *       "outcome": "GEMI-TESTEV26-AAA",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.20",
         *       "size": 10
         *     }
         */
        GeminiBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            isBuy: boolean;
            price: components["schemas"]["Amount"];
            size: components["schemas"]["Amount"];
            /** @enum {string} */
            timeInForce?: "good-til-cancel" | "immediate-or-cancel" | "fill-or-kill";
            postOnly?: boolean;
            /** Format: uuid */
            clientOrderId?: string;
        };
        GeminiCancelArtifact: {
            /** @constant */
            request: "/v1/prediction-markets/order/cancel";
            orderId: string;
        };
        GeminiOrderArtifact: {
            /** @constant */
            request: "/v1/prediction-markets/order";
            symbol: string;
            /** @constant */
            orderType: "limit";
            /** @enum {string} */
            side: "buy" | "sell";
            /** @enum {string} */
            outcome: "yes" | "no";
            quantity: string;
            price: string;
            /** @enum {string} */
            timeInForce: "good-til-cancel" | "immediate-or-cancel" | "fill-or-kill" | "maker-or-cancel";
            /** Format: uuid */
            clientOrderId: string;
        };
        /**
         * @example {
         *       "apiKey": "account-1",
         *       "apiSecret": "secret-1"
         *     }
         */
        GeminiRefreshBody: {
            apiKey: string;
            apiSecret: string;
        };
        /**
         * @example {
         *       "apiKey": "account-1",
         *       "apiSecret": "secret-1"
         *     }
         */
        GeminiSubmitBody: {
            apiKey: string;
            apiSecret: string;
        };
        /**
         * @example {
         *       "orderBook": {
         *         "bids": [
         *           {
         *             "price": 0.4,
         *             "size": 5
         *           }
         *         ],
         *         "asks": [
         *           {
         *             "price": 0.6,
         *             "size": 5
         *           }
         *         ]
         *       },
         *       "side": "buy",
         *       "amount": 2
         *     }
         */
        GetExecutionPriceArguments: {
            orderBook: {
                /** @description {price, size} with price in [0,1] and size ≥ 0 */
                bids: unknown[];
                /** @description {price, size} with price in [0,1] and size ≥ 0 */
                asks: unknown[];
            } & {
                [key: string]: unknown;
            };
            /** @enum {string} */
            side: "buy" | "sell";
            amount: number;
        };
        Halt: {
            /** @enum {string} */
            scope: "account" | "venue" | "all";
            venue: string | null;
            /** @enum {string} */
            by: "account" | "operator";
            reason: string;
            /** Format: date-time */
            since: string;
        };
        /** @example {} */
        HasArguments: Record<string, never>;
        Hedge: {
            /** @enum {string} */
            held: "yes" | "no";
            /** @enum {string} */
            buy: "yes" | "no";
            /** @constant */
            least: 1;
            /** @enum {number} */
            most: 1 | 2;
        };
        /**
         * @example {
         *       "outcome": "516",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.35",
         *       "size": "50",
         *       "owner": "0x14791697260E4c9A71f18484C9f997B308e59325"
         *     }
         */
        HyperliquidBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            isBuy: boolean;
            price?: components["schemas"]["Amount"];
            size: components["schemas"]["Amount"];
            owner: string;
            /** @enum {string} */
            type?: "limit" | "market";
            worstPrice?: components["schemas"]["Amount"];
            /** @enum {string} */
            timeInForce?: "good-til-cancel" | "immediate-or-cancel";
            postOnly?: boolean;
            clientOrderId?: string;
        };
        HyperliquidCancelArtifact: {
            action: {
                /** @constant */
                type: "cancel";
                cancels: {
                    a: number;
                    o: number;
                }[];
            } | {
                /** @constant */
                type: "cancelByCloid";
                cancels: {
                    asset: number;
                    cloid: string;
                }[];
            };
            nonce: number;
            domain: unknown;
            types: unknown;
            /** @constant */
            primaryType: "Agent";
            message: {
                /** @enum {string} */
                source: "a" | "b";
                connectionId: string;
            };
        };
        HyperliquidModifyArtifact: {
            action: {
                /** @constant */
                type: "batchModify";
                modifies: {
                    oid: number | string;
                    order: {
                        a: number;
                        b: boolean;
                        p: string;
                        s: string;
                        /** @constant */
                        r: false;
                        t: {
                            limit: {
                                /** @enum {string} */
                                tif: "Gtc" | "Ioc" | "Alo" | "FrontendMarket";
                            };
                        };
                        c?: string;
                    };
                }[];
            };
            nonce: number;
            domain: unknown;
            types: unknown;
            /** @constant */
            primaryType: "Agent";
            message: {
                /** @enum {string} */
                source: "a" | "b";
                connectionId: string;
            };
        };
        HyperliquidOrderArtifact: {
            action: {
                /** @constant */
                type: "order";
                orders: {
                    a: number;
                    b: boolean;
                    p: string;
                    s: string;
                    /** @constant */
                    r: false;
                    t: {
                        limit: {
                            /** @enum {string} */
                            tif: "Gtc" | "Ioc" | "Alo" | "FrontendMarket";
                        };
                    };
                    c?: string;
                }[];
                /** @constant */
                grouping: "na";
            };
            nonce: number;
            domain: unknown;
            types: unknown;
            /** @constant */
            primaryType: "Agent";
            message: {
                /** @enum {string} */
                source: "a" | "b";
                connectionId: string;
            };
        };
        /**
         * @example {
         *       "signature": "0x1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b"
         *     }
         */
        HyperliquidSubmitBody: {
            signature: string;
        };
        ImportedDecisions: {
            imported: number;
            /** @description The same relation applied already */
            unchanged: number;
            /** @description Another decision applies here */
            skipped: number;
        };
        /** @enum {string} */
        Intent: "order" | "cancel" | "modify" | "redeem" | "split" | "merge" | "convert";
        ItemError: {
            message: string;
            code: string;
            retryable: boolean;
            requestId: string;
            exchange?: string;
            retryAfter?: number;
        };
        JsonObject: {
            [key: string]: unknown;
        };
        /**
         * @example {
         *       "outcome": "KXTEST-26-A",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.62",
         *       "size": 4
         *     }
         */
        KalshiBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            isBuy: boolean;
            price: components["schemas"]["Amount"];
            size: components["schemas"]["Amount"];
            /** @enum {string} */
            timeInForce?: "good-til-cancel";
            expiresAt?: number | string;
            postOnly?: boolean;
            reduceOnly?: boolean;
            /** Format: uuid */
            clientOrderId?: string;
        };
        KalshiCancelArtifact: {
            order_id: string;
        };
        KalshiModifyArtifact: {
            order_id: string;
            ticker: string;
            /** @enum {string} */
            side: "bid" | "ask";
            price: string;
            count: string;
            /** Format: uuid */
            client_order_id?: string;
            /** Format: uuid */
            updated_client_order_id: string;
        };
        KalshiOrderArtifact: {
            ticker: string;
            /** Format: uuid */
            client_order_id: string;
            /** @enum {string} */
            side: "bid" | "ask";
            count: string;
            price: string;
            /** @constant */
            time_in_force: "good_till_canceled";
            /** @constant */
            self_trade_prevention_type: "taker_at_cross";
            expiration_time?: number;
            /** @constant */
            post_only?: true;
            /** @constant */
            reduce_only?: true;
        };
        /**
         * @example {
         *       "apiKeyId": "key-1",
         *       "privateKeyPem": "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n"
         *     }
         */
        KalshiRefreshBody: {
            apiKeyId: string;
            privateKeyPem: string;
        };
        /**
         * @example {
         *       "apiKeyId": "key-1",
         *       "privateKeyPem": "-----BEGIN PRIVATE KEY-----\n…\n-----END PRIVATE KEY-----\n"
         *     }
         */
        KalshiSubmitBody: {
            apiKeyId: string;
            privateKeyPem: string;
        };
        KeyUsage: {
            /** Format: uuid */
            keyId: string;
            calls: number;
            credits: number;
        };
        Lane: {
            venue: string;
            armed: boolean;
            /** @description why it is not armed, where that is known */
            unarmed?: string;
            settlementOnly: boolean;
            /** @description why it can only build */
            buildsOnly?: string;
            buildVersion: number;
            verbs: {
                build: boolean;
                dryRun: boolean;
                modify: boolean;
                cancel: boolean;
                redeem: boolean;
                split: boolean;
                merge: boolean;
                convert: boolean;
                submit: boolean;
                refresh: boolean;
            };
            /** @description of build */
            intents: components["schemas"]["Intent"][];
            ownerRequired: boolean;
            /** @description what a build body may select in addition to price and size */
            orderOptions: components["schemas"]["OrderOptions"];
            /** @description the signature and credential fields of the refresh and submit bodies */
            credentials: {
                refresh: string[];
                submit: string[];
            };
        };
        LapsedCancel: {
            /**
             * Format: uuid
             * @description of the order
             */
            executionId: string;
            venue: string;
            marketId: string | null;
            /**
             * Format: uuid
             * @description to be signed and submitted; null: it could not be built
             */
            cancelExecutionId: string | null;
            /** @description why it could not be built */
            error: {
                code: string;
                message: string;
            } | null;
        };
        /** @enum {string} */
        LeaderboardWindow: "day" | "week" | "month" | "all";
        /**
         * @example {
         *       "outcome": "both-to-score-1779980360817",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.65",
         *       "size": "10",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
         *       "ownerId": 1001,
         *       "feeRateBps": 300
         *     }
         */
        LimitlessBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            isBuy: boolean;
            price?: components["schemas"]["Amount"];
            size: components["schemas"]["Amount"];
            owner: string;
            ownerId: number;
            feeRateBps: number;
            /** @enum {string} */
            type?: "limit" | "market";
            worstPrice?: components["schemas"]["Amount"];
            /** @enum {string} */
            timeInForce?: "good-til-cancel" | "immediate-or-cancel";
            postOnly?: boolean;
            /** Format: uuid */
            clientOrderId?: string;
            /** @enum {string} */
            selfTradePrevention?: "cancel-taker" | "cancel-maker" | "cancel-both";
        };
        LimitlessCancelArtifact: {
            /** Format: uuid */
            clientOrderId: string;
        };
        LimitlessMergeArtifact: {
            /** @constant */
            to: "0xC9c98965297Bc527861c898329Ee280632B76e18";
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 8453;
        };
        LimitlessOrderArtifact: {
            domain: {
                /** @constant */
                name: "Limitless CTF Exchange";
                /** @constant */
                version: "1";
                /** @constant */
                chainId: 8453;
                verifyingContract: string;
            };
            types: unknown;
            /** @constant */
            primaryType: "Order";
            message: {
                salt: components["schemas"]["Uint256"];
                maker: string;
                signer: string;
                /** @constant */
                taker: "0x0000000000000000000000000000000000000000";
                tokenId: components["schemas"]["Uint256"];
                makerAmount: components["schemas"]["Uint256"];
                takerAmount: components["schemas"]["Uint256"];
                /** @constant */
                expiration: "0";
                /** @constant */
                nonce: "0";
                feeRateBps: components["schemas"]["Uint256"];
                /** @enum {number} */
                side: 0 | 1;
                /** @constant */
                signatureType: 0;
            };
            post: {
                price: string;
                ownerId: number;
                /** @enum {string} */
                orderType: "GTC" | "FAK";
                marketSlug: string;
                /** Format: uuid */
                clientOrderId: string;
                /** @constant */
                postOnly?: true;
                /** @enum {string} */
                stpPolicy?: "cancel_taker" | "cancel_maker" | "cancel_both";
            };
        };
        LimitlessRedeemArtifact: {
            /** @constant */
            to: "0xC9c98965297Bc527861c898329Ee280632B76e18";
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 8453;
        };
        LimitlessSplitArtifact: {
            /** @constant */
            to: "0xC9c98965297Bc527861c898329Ee280632B76e18";
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 8453;
        };
        /**
         * @example {
         *       "session": "session-1",
         *       "signature": "0x1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b"
         *     }
         */
        LimitlessSubmitBody: {
            tokenId?: string;
            secret?: string;
            session?: string;
            signature?: string;
        };
        ListMeta: {
            /** @description maximum number of rows, as understood */
            limit?: number;
            total?: number;
            /**
             * @description not counted
             * @constant
             */
            totalUnknown?: true;
            /** @description absent on the last page */
            nextCursor?: string;
            /**
             * @description the tape did not answer in time: price changes and coverage follow
             * @constant
             */
            pending?: true;
            /**
             * Format: date-time
             * @description candles after this are not known yet
             */
            tapeUntil?: string;
            /** @description of a search by title that finds nothing: the nearest titles */
            suggestions?: string[];
            /** @description books that are missing */
            failed?: {
                venue?: string;
                outcomeId: string;
                code: string;
            }[];
            /** @description books in this one */
            merged?: {
                venue: string;
                outcomeId: string;
                /** Format: date-time */
                asOf: string;
            }[];
            /** @description matching run */
            runId?: string | null;
            /** @description the requested market */
            source?: {
                venue: string;
                marketId: string;
                bestBid: number | null;
                bestAsk: number | null;
            };
            /** @description size of the rows */
            contracts?: number;
            /** @description venues without rows because their cluster has more than ten; those with the best bands are kept. Null where several processes share the clusters */
            venuesLeftOut?: number | null;
            /** @description why there is no price */
            reason?: string;
            filledAmount?: number;
        };
        /**
         * @example {
         *       "reload": true
         *     }
         */
        LoadMarketsArguments: {
            reload?: boolean;
        };
        MarkValues: {
            /** @description at the middle of the live book */
            mid: string | null;
            /** @description sold into the live book as a whole; bought back from it, for a quantity below zero */
            bid: string | null;
            /** @description at the last known price */
            last: string | null;
        };
        Market: {
            marketId: string;
            eventId: string | null;
            title: string;
            description: string;
            slug?: string;
            outcomes: components["schemas"]["Outcome"][];
            /** Format: date-time */
            resolutionDate?: string;
            volume24h: number | null;
            /** @enum {string} */
            volume24hSource?: "venue" | "derived_cumulative" | "derived_tape";
            volume: number | null;
            liquidity: number | null;
            openInterest: number | null;
            url: string;
            image?: string;
            category?: string;
            tags?: string[];
            tickSize: number | null;
            status: components["schemas"]["MarketStatus"];
            contractAddress?: string;
            sourceExchange: string;
            sourceMetadata: {
                [key: string]: unknown;
            };
            yes?: components["schemas"]["Outcome"];
            no?: components["schemas"]["Outcome"];
            up?: components["schemas"]["Outcome"];
            down?: components["schemas"]["Outcome"];
        };
        MarketCriteria: {
            text?: string;
            searchIn?: ("title" | "description" | "category" | "tags" | "outcomes")[];
            volume24h?: components["schemas"]["Range"];
            volume?: components["schemas"]["Range"];
            liquidity?: components["schemas"]["Range"];
            openInterest?: components["schemas"]["Range"];
            resolutionDate?: {
                before?: components["schemas"]["Time"];
                after?: components["schemas"]["Time"];
            };
            category?: string;
            tags?: string | string[];
            price?: {
                min?: number;
                max?: number;
                /** @enum {string} */
                outcome: "yes" | "no" | "up" | "down";
            };
            priceChange24h?: {
                min?: number;
                max?: number;
                /** @enum {string} */
                outcome: "yes" | "no" | "up" | "down";
            };
        };
        MarketDescriptor: {
            marketType: string;
            period: string;
            slot: string;
            lines: number[];
            venues: string[];
        };
        MarketQuote: {
            bid: number | null;
            ask: number | null;
        };
        MarketReference: {
            venue: string;
            marketId: string;
        };
        /** @enum {string} */
        MarketStatus: "active" | "inactive" | "closed" | "resolved" | "archived" | "unknown";
        Match: {
            /** @enum {string} */
            relation: "identity" | "complement" | "subset" | "superset" | "overlap" | "disjoint";
            relationBand: components["schemas"]["MatchBand"] | null;
            relationReason: string;
            hedges: components["schemas"]["Hedge"][];
            confidence: number;
            reasoning: string;
            /** @enum {string} */
            polarity: "same" | "inverse";
            matchScore: number | null;
            matchBand: components["schemas"]["MatchBand"];
            matchDifferences: components["schemas"]["MatchDifference"][];
            resolution: {
                compatible: boolean;
                reason: string;
                auditReasons: string[];
            };
            resolutionEquivalence: string;
            clusterId: string | null;
            override: ("pinned" | "forbidden") | null;
            market: components["schemas"]["Market"];
            venue: string;
            sourceMarket?: components["schemas"]["Market"];
            bestBid: number | null;
            bestAsk: number | null;
        };
        /** @enum {string} */
        MatchBand: "verified" | "minor" | "material" | "hidden" | "unscored";
        MatchDifference: {
            kind: string;
            detail: string;
            points: number;
        };
        /** @example identity,complement */
        MatchRelations: string | string[];
        MatchedPair: {
            /** @enum {string} */
            relation: "identity" | "complement" | "subset" | "superset" | "overlap" | "disjoint";
            relationBand: components["schemas"]["MatchBand"] | null;
            relationReason: string;
            hedges: components["schemas"]["Hedge"][];
            confidence: number;
            reasoning: string;
            /** @enum {string} */
            polarity: "same" | "inverse";
            matchScore: number | null;
            matchBand: components["schemas"]["MatchBand"];
            matchDifferences: components["schemas"]["MatchDifference"][];
            resolution: {
                compatible: boolean;
                reason: string;
                auditReasons: string[];
            };
            resolutionEquivalence: string;
            clusterId: string | null;
            override: ("pinned" | "forbidden") | null;
            marketA: components["schemas"]["Market"];
            marketB: components["schemas"]["Market"];
            venueA: string;
            venueB: string;
            priceA: number | null;
            priceB: number | null;
            priceDifference: number | null;
        };
        /**
         * @description At limitless, myriad, opinion, polymarket
         * @example {
         *       "intent": "merge",
         *       "outcome": "512345",
         *       "amount": "25",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        MergeBody: {
            dryRun?: boolean;
            /** @constant */
            intent: "merge";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            amount: components["schemas"]["Amount"];
            owner: string;
        };
        /**
         * @description At hyperliquid, kalshi
         * @example {
         *       "price": "0.41"
         *     }
         */
        ModifyBody: {
            price?: components["schemas"]["Amount"];
            size?: components["schemas"]["Amount"];
        };
        /**
         * @example {
         *       "outcome": "56:ob:730",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.56",
         *       "size": "21.04",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        MyriadBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            isBuy: boolean;
            price: components["schemas"]["Amount"];
            size: components["schemas"]["Amount"];
            owner: string;
            expiresAt?: number | string;
            /** @enum {string} */
            timeInForce?: "good-til-cancel" | "good-til-date" | "fill-or-kill" | "immediate-or-cancel";
        };
        MyriadCancelArtifact: {
            orderHash: string;
            order: components["schemas"]["MyriadOrder"];
            /** @constant */
            network_id: 56;
        };
        MyriadMergeArtifact: {
            to: string;
            data: string;
            /** @constant */
            value: "0";
            chainId: number;
        };
        MyriadOrder: {
            trader: string;
            marketId: components["schemas"]["Uint256"];
            /** @enum {number} */
            outcomeId: 0 | 1;
            /** @enum {number} */
            side: 0 | 1;
            amount: components["schemas"]["Uint256"];
            price: components["schemas"]["Uint256"];
            /** @constant */
            minFillAmount: "0";
            nonce: components["schemas"]["Uint256"];
            expiration: string;
        };
        MyriadOrderArtifact: components["schemas"]["MyriadTypedOrder"] | {
            to: string;
            data: string;
            /** @constant */
            value: "0";
            chainId: number;
        };
        MyriadRedeemArtifact: {
            to: string;
            data: string;
            /** @constant */
            value: "0";
            chainId: number;
        };
        MyriadSplitArtifact: {
            to: string;
            data: string;
            /** @constant */
            value: "0";
            chainId: number;
        };
        /**
         * @example {
         *       "signature": "0x1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b"
         *     }
         */
        MyriadSubmitBody: {
            signature?: string;
            signedTransaction?: string;
            transactionHash?: string;
        };
        MyriadTypedOrder: {
            domain: {
                /** @constant */
                name: "MyriadCTFExchange";
                /** @constant */
                version: "1";
                /** @constant */
                chainId: 56;
                /** @constant */
                verifyingContract: "0xa0b6f8ef8EdB64f395018D1933f2273Ce9f0f16A";
            };
            types: unknown;
            /** @constant */
            primaryType: "Order";
            message: components["schemas"]["MyriadOrder"];
            post: {
                /** @constant */
                network_id: 56;
                /** @enum {string} */
                time_in_force: "GTC" | "GTD" | "FOK" | "FAK";
            };
        };
        NativeLeader: {
            venue: string;
            wallet: string;
            displayName?: string;
            rank: number;
            window: components["schemas"]["LeaderboardWindow"];
            profitUsd: number | null;
            volumeUsd: number | null;
        };
        /**
         * @example {
         *       "outcome": "5d0b4f5e-0001-4000-8000-000000000001",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.44",
         *       "size": 50
         *     }
         */
        NovigBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            isBuy: boolean;
            price?: components["schemas"]["Amount"];
            size: components["schemas"]["Amount"];
            /** @enum {string} */
            type?: "limit" | "market";
            worstPrice?: components["schemas"]["Amount"];
            /** @enum {string} */
            timeInForce?: "good-til-cancel" | "fill-or-kill" | "immediate-or-cancel";
        };
        NovigOrderArtifact: {
            outcomeId: string;
            price: number;
            qty: number;
            /** @constant */
            currency: "CASH";
            /** @enum {string} */
            tif: "GTC" | "FOK" | "IOC";
            flags: string;
        };
        /**
         * @example {
         *       "clientId": "client-1",
         *       "clientSecret": "secret-1"
         *     }
         */
        NovigRefreshBody: {
            clientId: string;
            clientSecret: string;
        };
        /**
         * @example {
         *       "clientId": "client-1",
         *       "clientSecret": "secret-1"
         *     }
         */
        NovigSubmitBody: {
            clientId: string;
            clientSecret: string;
        };
        OpenOrder: {
            venue: string;
            /** @description as the venue names the account; addresses in lower case */
            accountId: string;
            orderId: string;
            marketId: string;
            /** @description `<venue>:<marketId>`; null where the catalog does not have the market */
            canonicalMarketId: string | null;
            outcomeId: string | null;
            /** @enum {string} */
            side: "buy" | "sell" | "back" | "lay";
            /** @enum {string} */
            orderType: "limit" | "market" | "other";
            /** @description probability of the outcome */
            limitPrice: number | null;
            /** @description shares, as the three below */
            originalSize: number | null;
            filledSize: number | null;
            remainingSize: number | null;
            /** @description the venue’s own word; `open` where being listed implies it */
            status: string;
            /** Format: date-time */
            createdAt: string | null;
            /** Format: date-time */
            updatedAt: string | null;
            /** @description the venue’s own row */
            raw?: unknown;
        };
        OpenOrdersMeta: {
            /**
             * Format: date-time
             * @description when the list was true
             */
            asOf: string | null;
            provenance: {
                /** @enum {string} */
                source: "venue_api" | "chain" | "derived";
                /** @enum {string} */
                visibility: "public" | "owner";
                /**
                 * @description true: simulated venues
                 * @constant
                 */
                lab?: true;
            };
            /** @description assembled from logs, not read as a list of orders */
            derived: boolean;
            /** @description read for an earlier call, at most seconds ago */
            cached: boolean;
            nextCursor?: string;
        };
        OpenTemplatePair: {
            /** @description The first 32 hex digits of the SHA-256 of both texts, joined by a newline */
            key: string;
            a: string;
            b: string;
            /** @description What the placeholders replace in one of its pairs of markets */
            slots: components["schemas"]["TemplateSlot"][];
            /** @description Pairs of markets that reduce to it */
            pairs: number;
            /** @description Of its markets, estimated, in the venues’ own units */
            openInterest: number | null;
            /** @description Largest difference of Yes prices between two of its markets, probability */
            edge: number | null;
            /** @description Of a decision, roughly in dollars: the list is sorted by it */
            value: number;
        };
        /**
         * @example {
         *       "outcome": "26356",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.56",
         *       "size": "21.04",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        OpinionBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            isBuy: boolean;
            price: components["schemas"]["Amount"];
            size: components["schemas"]["Amount"];
            owner: string;
            safeAddress?: string;
            /** @enum {number} */
            signatureType?: 0 | 2;
            buildResult?: unknown;
            postOnly?: boolean;
        };
        OpinionCancelArtifact: {
            orderId: string;
        };
        OpinionMergeArtifact: {
            /** @constant */
            to: "0xAD1a38cEc043e70E83a3eC30443dB285ED10D774";
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 56;
        };
        OpinionOrderArtifact: {
            domain: {
                /** @constant */
                name: "OPINION CTF Exchange";
                /** @constant */
                version: "1";
                /** @constant */
                chainId: 56;
                verifyingContract: string;
            };
            types: unknown;
            /** @constant */
            primaryType: "Order";
            message: {
                salt: components["schemas"]["Uint256"];
                maker: string;
                signer: string;
                /** @constant */
                taker: "0x0000000000000000000000000000000000000000";
                tokenId: components["schemas"]["Uint256"];
                makerAmount: components["schemas"]["Uint256"];
                takerAmount: components["schemas"]["Uint256"];
                expiration: components["schemas"]["Uint256"];
                /** @constant */
                nonce: "0";
                /** @constant */
                feeRateBps: "0";
                /** @enum {number} */
                side: 0 | 1;
                /** @enum {number} */
                signatureType: 0 | 2;
            };
            post: {
                topicId: number;
                currencyAddress: string;
                price: string;
                /** @constant */
                postOnly?: true;
            };
        };
        OpinionRedeemArtifact: {
            /** @constant */
            to: "0xAD1a38cEc043e70E83a3eC30443dB285ED10D774";
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 56;
        };
        /**
         * @example {
         *       "apiKey": "key-1"
         *     }
         */
        OpinionRefreshBody: {
            apiKey: string;
        };
        OpinionSplitArtifact: {
            /** @constant */
            to: "0xAD1a38cEc043e70E83a3eC30443dB285ED10D774";
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 56;
        };
        /**
         * @example {
         *       "apiKey": "key-1",
         *       "signature": "0x1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b"
         *     }
         */
        OpinionSubmitBody: {
            apiKey: string;
            signature?: string;
        };
        OracleRound: {
            feed: string;
            roundId: string;
            answer: number;
            startedAt: number;
            updatedAt: number;
            answeredInRound: string;
            decimals: number;
            /** Format: date-time */
            asOf: string;
            provenance: components["schemas"]["FeedProvenance"];
        };
        OrderAction: {
            /** @constant */
            kind: "wait";
            /** Format: date-time */
            until: string;
        } | {
            /** @constant */
            kind: "refresh";
            /** @constant */
            method: "POST";
            path: string;
            /** @description fields of the body */
            fields: string[];
            /** @description an empty body suffices, and the reconciler reads it by itself */
            credentialFree: boolean;
            /** Format: date-time */
            from: string | null;
        } | {
            /**
             * @description with a new Idempotency-Key; the fields of refresh may be added
             * @constant
             */
            kind: "resolve";
            /** @constant */
            method: "POST";
            path: string;
            /** @description fields of the body */
            fields: string[];
            outcomes: ("failed" | "canceled" | "filled")[];
            /** Format: date-time */
            from: string | null;
        } | {
            /**
             * @description the same signed bytes, which the venue takes only once, with a new Idempotency-Key
             * @constant
             */
            kind: "resubmit";
            /** @constant */
            method: "POST";
            path: string;
            /** @description fields of the body */
            fields: string[];
        };
        OrderBook: {
            bids: components["schemas"]["BookLevel"][];
            asks: components["schemas"]["BookLevel"][];
            timestamp: number;
            /** Format: date-time */
            datetime: string;
            isNegRisk: boolean | null;
            lastTradePrice: number | null;
            /** Format: date-time */
            asOf: string;
            provenance: {
                /** @enum {string} */
                source: "venue-rest" | "service-live" | "archive" | "fixture";
                /**
                 * @description true: simulated venues
                 * @constant
                 */
                lab?: true;
            };
            synthetic: boolean;
            cached: boolean;
            sourceMetadata: {
                synthetic: boolean;
            };
        };
        OrderCancel: {
            /** Format: uuid */
            executionId: string;
            venue: string;
            marketId: string | null;
            /** @constant */
            ok: true;
            /**
             * @description an earlier request with this Idempotency-Key did it
             * @constant
             */
            replay?: true;
            data: components["schemas"]["Execution"];
        } | {
            /** Format: uuid */
            executionId: string;
            venue: string;
            marketId: string | null;
            /** @constant */
            ok: false;
            error: components["schemas"]["ItemError"];
        };
        OrderOptions: {
            /** @description the first is the default; empty: it cannot be selected */
            timeInForce: ("good-til-cancel" | "good-til-date" | "immediate-or-cancel" | "fill-or-kill")[];
            expiresAt: boolean;
            /** @description `type: market` with a worst price */
            market: boolean;
            postOnly: boolean;
            reduceOnly: boolean;
            /** @description its form; null: none is taken from the caller */
            clientOrderId: string | null;
            selfTradePrevention: ("cancel-taker" | "cancel-maker" | "cancel-both")[];
        };
        OrderOverview: {
            /** Format: uuid */
            executionId: string;
            venue: string;
            /**
             * @description `modify`: a change of an order, at some venues a new order
             * @enum {string}
             */
            intent: "order" | "modify";
            status: components["schemas"]["ExecutionStatus"];
            marketId: string | null;
            outcomeId: string | null;
            /** @description title of the market when the order was built */
            market: string | null;
            /** @description name of the outcome when the order was built */
            label: string | null;
            side: ("buy" | "sell") | null;
            /** @description limit */
            price: string | null;
            size: string | null;
            /** @description the most that the venue has reported as filled; null: nothing reported */
            matchedSize: string | null;
            /** @description size less matched size; null where one of them is unknown */
            remainingSize: string | null;
            /** @description of the stored fills, before fees, to 9 places; null where one reports no price, or less than the matched size is stored */
            averagePrice: string | null;
            timeInForce: ("good-til-cancel" | "good-til-date" | "immediate-or-cancel" | "fill-or-kill") | null;
            /** Format: date-time */
            expiresAt: string | null;
            venueRef: string | null;
            /**
             * Format: uuid
             * @description the conditional order armed last with this execution
             */
            conditionalId: string | null;
            /**
             * Format: uuid
             * @description the OCO group of that conditional order
             */
            groupId: string | null;
            /**
             * Format: uuid
             * @description of a `modify`: the order that it changes
             */
            targetExecutionId: string | null;
            /** @description the modifications of this order, oldest first */
            targetOf: string[];
            error: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            /**
             * Format: date-time
             * @description when it reached this status
             */
            statusSince: string;
        };
        Outcome: {
            outcomeId: string;
            marketId: string;
            label: string;
            price: number | null;
            bestBid?: number | null;
            bestAsk?: number | null;
            priceChange1m: number | null;
            priceChange5m: number | null;
            priceChange15m: number | null;
            priceChange1h: number | null;
            priceChange6h: number | null;
            priceChange24h: number | null;
            priceChange7d: number | null;
            priceChange30d: number | null;
            coverage: components["schemas"]["Coverage"] | null;
            metadata?: {
                [key: string]: unknown;
            };
        };
        Page: {
            limit: number;
            hasMore: boolean;
            nextCursor: string | null;
        };
        PairOverride: {
            id: string;
            a: {
                venue: string;
                marketId: string;
            };
            b: {
                venue: string;
                marketId: string;
            };
            /** @enum {string} */
            action: "pin" | "forbid" | "withdraw";
            /** @description Of a pin */
            polarity: ("same" | "inverse") | null;
            reason: string;
            setBy: string;
            /** Format: date-time */
            setAt: string;
        };
        PaperAccount: {
            /** Format: uuid */
            accountId: string;
            /** @description of every venue and currency, granted with the first order there */
            startCash: string;
            balances: components["schemas"]["PaperBalance"][];
            positions: components["schemas"]["PaperPosition"][];
            workingOrders: number;
            workingOrdersMax: number;
            resets: number;
            /** Format: date-time */
            createdAt: string;
        };
        PaperBalance: {
            venue: string;
            currency: string | null;
            /** @description including `reserved` */
            cash: string;
            /** @description held by working purchases */
            reserved: string;
            available: string;
        };
        PaperFill: {
            fillId: string;
            /** Format: uuid */
            executionId: string;
            venue: string;
            marketId: string;
            outcomeId: string;
            currency: string | null;
            /** @enum {string} */
            side: "buy" | "sell";
            price: string;
            size: string;
            /** @description price times size, before the fee */
            cash: string;
            fee: string;
            /** @enum {string} */
            liquidity: "taker" | "maker";
            /** @description the sequence of the live book, and the trades, that the fill follows from */
            evidence: {
                bookEpoch: number;
                bookSeq: number;
                tradeIds: string[];
            };
            /** Format: date-time */
            filledAt: string;
        };
        PaperOrder: {
            /** Format: uuid */
            executionId: string;
            venue: string;
            /** @description the execution’s `venueRef` */
            orderId: string;
            marketId: string;
            outcomeId: string;
            /** @enum {string} */
            side: "buy" | "sell";
            price: string;
            size: string;
            filled: string;
            /** @enum {string} */
            timeInForce: "GTC" | "GTD" | "FOK" | "IOC";
            postOnly: boolean;
            /** Format: date-time */
            expiresAt: string | null;
            /** @enum {string} */
            state: "working" | "filled" | "canceled" | "expired" | "rejected";
            /** @description why it ended, where that is not obvious */
            reason: string | null;
            /** @description cash of a purchase, contracts of a sale */
            reserved: string;
            fee: string;
            /** @description contracts ahead of it when it began to rest; null: it did not rest yet */
            queueAhead: string | null;
            /** Format: date-time */
            cancelRequestedAt: string | null;
            /** Format: date-time */
            placedAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        PaperPosition: {
            venue: string;
            marketId: string;
            outcomeId: string;
            currency: string | null;
            /** @description contracts or shares, including `reserved` */
            quantity: string;
            /** @description held by working sales */
            reserved: string;
        };
        /**
         * @example {
         *       "outcome": "ME_SEN_2026.REP",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.45",
         *       "size": 10,
         *       "owner": "GmaDrppBC7P5ARKV8g3djiwP89vz1jLK23V2GBjuAEGB",
         *       "signer": "2KW2XRd9kwqet15Aha2oK3tYvd3nWbTFH1MBiRAv1BE1"
         *     }
         */
        PascalBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            isBuy: boolean;
            price: components["schemas"]["Amount"];
            size: components["schemas"]["Amount"];
            owner: string;
            signer: string;
            postOnly?: boolean;
            reduceOnly?: boolean;
            clientOrderId?: string;
        };
        PascalCancelArtifact: {
            /** @constant */
            command: "cancel_order";
            deployment_id: number;
            permit: string;
            message: string;
            request: {
                client_order_id: string;
                /** @constant */
                metadata: "2";
                auth: {
                    client_ts_ms: string;
                    /** @constant */
                    recv_window_ms: "60000";
                    owner: string;
                    signer: string;
                };
            };
        };
        /**
         * @example {
         *       "signer": "2KW2XRd9kwqet15Aha2oK3tYvd3nWbTFH1MBiRAv1BE1"
         *     }
         */
        PascalCancelBody: {
            signer: string;
        };
        PascalOrderArtifact: {
            /** @constant */
            command: "place_order";
            deployment_id: number;
            permit: string;
            message: string;
            request: {
                client_order_id: string;
                symbol: string;
                /** @enum {string} */
                side: "BID" | "ASK";
                price: string;
                size: string;
                /** @constant */
                metadata: "2";
                /** @constant */
                post_only?: true;
                /** @constant */
                reduce_only?: true;
                auth: {
                    client_ts_ms: string;
                    /** @constant */
                    recv_window_ms: "60000";
                    owner: string;
                    signer: string;
                };
            };
        };
        /**
         * @example {
         *       "signature": "1111111111111111111111111111111111111111111111111111111111111111"
         *     }
         */
        PascalSubmitBody: {
            signature: string;
        };
        Placement: {
            venue: string;
            marketId: string;
            marketType: string;
            period: string;
            slot: string;
            line: number | null;
            open: boolean;
            outcomes: {
                outcomeId: string;
                outcome: string;
            }[];
        };
        /** @enum {string} */
        PlanName: "free" | "builder" | "pro" | "enterprise";
        /**
         * @example {
         *       "outcome": "512345",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.56",
         *       "size": "21.04",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        PolymarketBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            isBuy: boolean;
            price?: components["schemas"]["Amount"];
            size: components["schemas"]["Amount"];
            owner: string;
            funder?: string;
            /**
             * @default 0
             * @enum {number}
             */
            signatureType?: 0 | 1 | 2 | 3;
            expiresAt?: number | string;
            /** @enum {string} */
            type?: "limit" | "market";
            worstPrice?: components["schemas"]["Amount"];
            /** @enum {string} */
            timeInForce?: "good-til-cancel" | "good-til-date" | "fill-or-kill" | "immediate-or-cancel";
            postOnly?: boolean;
            metadata?: string;
            builder?: string;
        };
        PolymarketCancelArtifact: {
            orderID: string;
        };
        PolymarketConvertArtifact: {
            /** @enum {string} */
            to: "0xAdA100Db00Ca00073811820692005400218FcE1f" | "0xadA2005600Dec949baf300f4C6120000bDB6eAab";
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 137;
        };
        /**
         * @example {
         *       "intent": "convert",
         *       "outcomes": [
         *         "512345",
         *         "512346"
         *       ],
         *       "amount": "25",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        PolymarketConvertBody: {
            dryRun?: boolean;
            /** @constant */
            intent: "convert";
            outcomes: string[];
            amount: components["schemas"]["Amount"];
            owner: string;
        };
        PolymarketMergeArtifact: {
            /** @enum {string} */
            to: "0xAdA100Db00Ca00073811820692005400218FcE1f" | "0xadA2005600Dec949baf300f4C6120000bDB6eAab";
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 137;
        };
        PolymarketOrderArtifact: components["schemas"]["PolymarketPlainOrder"] | components["schemas"]["PolymarketWalletOrder"];
        PolymarketPlainOrder: {
            domain: {
                /** @constant */
                name: "Polymarket CTF Exchange";
                /** @constant */
                version: "2";
                /** @constant */
                chainId: 137;
                /** @enum {string} */
                verifyingContract: "0xE111180000d2663C0091e4f400237545B87B996B" | "0xe2222d279d744050d28e00520010520000310F59";
            } | {
                /** @constant */
                name: "Polymarket CTF Exchange";
                /** @constant */
                version: "3";
                /** @constant */
                chainId: 137;
                /** @constant */
                verifyingContract: "0xe3333700cA9d93003F00f0F71f8515005F6c00Aa";
            };
            types: unknown;
            /** @constant */
            primaryType: "Order";
            message: {
                salt: components["schemas"]["Uint256"];
                maker: string;
                signer: string;
                tokenId: components["schemas"]["Uint256"];
                makerAmount: components["schemas"]["Uint256"];
                takerAmount: components["schemas"]["Uint256"];
                /** @enum {number} */
                side: 0 | 1;
                /** @enum {number} */
                signatureType: 0 | 1 | 2 | 3;
                timestamp: string;
                metadata: string;
                builder: string;
            };
            post: {
                /** @enum {string} */
                orderType: "GTC" | "GTD" | "FOK" | "FAK";
                expiration: string;
                /** @constant */
                postOnly?: true;
            };
        };
        PolymarketRedeemArtifact: {
            /** @enum {string} */
            to: "0xAdA100Db00Ca00073811820692005400218FcE1f" | "0xadA2005600Dec949baf300f4C6120000bDB6eAab";
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 137;
        };
        /**
         * @example {
         *       "apiKey": "key-1",
         *       "secret": "c2VjcmV0",
         *       "passphrase": "words"
         *     }
         */
        PolymarketRefreshBody: {
            apiKey: string;
            secret: string;
            passphrase: string;
        };
        PolymarketSplitArtifact: {
            /** @enum {string} */
            to: "0xAdA100Db00Ca00073811820692005400218FcE1f" | "0xadA2005600Dec949baf300f4C6120000bDB6eAab";
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 137;
        };
        /**
         * @example {
         *       "apiKey": "key-1",
         *       "secret": "c2VjcmV0",
         *       "passphrase": "words",
         *       "signature": "0x1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b"
         *     }
         */
        PolymarketSubmitBody: {
            apiKey: string;
            secret: string;
            passphrase: string;
            signature?: string;
        };
        /**
         * @example {
         *       "marketId": "demo-a",
         *       "outcomeId": "demo-a:short",
         *       "side": "buy",
         *       "type": "limit",
         *       "amount": 3,
         *       "price": 0.83
         *     }
         */
        PolymarketUsBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            marketId: string;
            outcomeId: string;
            /** @enum {string} */
            side: "buy" | "sell";
            /** @enum {string} */
            type: "limit" | "market";
            amount: components["schemas"]["Amount"];
            price?: components["schemas"]["Amount"];
            worstPrice?: components["schemas"]["Amount"];
            /** @enum {string} */
            timeInForce?: "good-til-cancel" | "good-til-date" | "fill-or-kill" | "immediate-or-cancel";
            expiresAt?: number | string;
            postOnly?: boolean;
        };
        PolymarketUsCancelArtifact: {
            orderId: string;
            marketSlug: string;
        };
        PolymarketUsOrderArtifact: {
            marketSlug: string;
            /** @enum {string} */
            intent: "ORDER_INTENT_BUY_LONG" | "ORDER_INTENT_SELL_LONG" | "ORDER_INTENT_BUY_SHORT" | "ORDER_INTENT_SELL_SHORT";
            /** @constant */
            type: "ORDER_TYPE_LIMIT";
            price: {
                value: string;
                /** @constant */
                currency: "USD";
            };
            quantity: number;
            /** @enum {string} */
            tif: "TIME_IN_FORCE_GOOD_TILL_CANCEL" | "TIME_IN_FORCE_GOOD_TILL_DATE" | "TIME_IN_FORCE_FILL_OR_KILL" | "TIME_IN_FORCE_IMMEDIATE_OR_CANCEL";
            /** Format: date-time */
            goodTillTime?: string;
            /** @constant */
            participateDontInitiate?: true;
            /** @constant */
            manualOrderIndicator: "MANUAL_ORDER_INDICATOR_AUTOMATIC";
        };
        /**
         * @example {
         *       "keyId": "key-1",
         *       "secretKey": "c2VjcmV0"
         *     }
         */
        PolymarketUsRefreshBody: {
            keyId: string;
            secretKey: string;
        };
        /**
         * @example {
         *       "keyId": "key-1",
         *       "secretKey": "c2VjcmV0"
         *     }
         */
        PolymarketUsSubmitBody: {
            keyId: string;
            secretKey: string;
        };
        PolymarketWalletOrder: {
            domain: {
                /** @constant */
                name: "Polymarket CTF Exchange";
                /** @constant */
                version: "2";
                /** @constant */
                chainId: 137;
                /** @enum {string} */
                verifyingContract: "0xE111180000d2663C0091e4f400237545B87B996B" | "0xe2222d279d744050d28e00520010520000310F59";
            } | {
                /** @constant */
                name: "Polymarket CTF Exchange";
                /** @constant */
                version: "3";
                /** @constant */
                chainId: 137;
                /** @constant */
                verifyingContract: "0xe3333700cA9d93003F00f0F71f8515005F6c00Aa";
            };
            types: unknown;
            /** @constant */
            primaryType: "TypedDataSign";
            message: {
                contents: {
                    salt: components["schemas"]["Uint256"];
                    maker: string;
                    signer: string;
                    tokenId: components["schemas"]["Uint256"];
                    makerAmount: components["schemas"]["Uint256"];
                    takerAmount: components["schemas"]["Uint256"];
                    /** @enum {number} */
                    side: 0 | 1;
                    /** @enum {number} */
                    signatureType: 0 | 1 | 2 | 3;
                    timestamp: string;
                    metadata: string;
                    builder: string;
                };
                /** @constant */
                name: "DepositWallet";
                /** @constant */
                version: "1";
                /** @constant */
                chainId: "137";
                verifyingContract: string;
                /** @constant */
                salt: "0x0000000000000000000000000000000000000000000000000000000000000000";
            };
            post: {
                /** @enum {string} */
                orderType: "GTC" | "GTD" | "FOK" | "FAK";
                expiration: string;
                /** @constant */
                postOnly?: true;
            };
        };
        PortfolioCurrencyTotals: {
            currency: string | null;
            /** @description deposits, sales and payouts less purchases and fees; not the venue’s balance */
            cashFlow: string | null;
            /** @description transfers, and imports at their cost */
            deposits: string;
            fees: components["schemas"]["PortfolioSum"];
            /** @description at average cost */
            realizedPnl: components["schemas"]["PortfolioSum"];
            realizedPnlFifo: components["schemas"]["PortfolioSum"];
            /** @description of open positions */
            value: {
                mid: components["schemas"]["PortfolioSum"];
                bid: components["schemas"]["PortfolioSum"];
                last: components["schemas"]["PortfolioSum"];
            };
            /** @description payouts of resolved markets that are not collected */
            unclaimed: string;
            unrealizedPnl: {
                mid: components["schemas"]["PortfolioSum"];
                bid: components["schemas"]["PortfolioSum"];
                last: components["schemas"]["PortfolioSum"];
            };
            positions: {
                open: number;
                closed: number;
            };
            unknown: {
                field: string;
                /** @enum {string} */
                reason: "amount_not_reported" | "cost_not_entered" | "cost_unknown" | "no_live_book" | "book_too_thin" | "no_last_price" | "payout_unknown" | "catalog_unavailable";
                /** @description positions, or entries */
                count: number;
            }[];
        };
        PortfolioEntrySum: {
            /** @description the sum of what is known */
            known: string;
            /** @description entries left out of it */
            unknown: number;
        };
        PortfolioFill: {
            fillId: string;
            /** Format: uuid */
            executionId: string | null;
            venue: string;
            marketId: string;
            outcomeId: string;
            /** @enum {string} */
            side: "buy" | "sell";
            size: string;
            /** @description cash by size, rounded to 9 places */
            price: string | null;
            /** @description paid or received, before fees */
            cash: string | null;
            /** @description below zero: a rebate */
            fee: string | null;
            /** @enum {string} */
            feeIn: "cash" | "outcome";
            currency: string | null;
            /** @description the venue reverted it */
            isWithdrawn: boolean;
            /** @enum {string} */
            provenance: "journal" | "venue_api" | "chain" | "import";
            /** Format: date-time */
            filledAt: string;
        };
        PortfolioGaps: {
            /** @description orders whose reported filled size exceeds their stored fills, by `size`; the first 100 */
            unexplained: {
                total: number;
                orders: {
                    /** Format: uuid */
                    executionId: string;
                    venue: string;
                    marketId: string;
                    outcomeId: string;
                    size: string;
                }[];
            };
            /** @description stored fills that count nowhere, because their quantity or market is not known; the first 100 */
            unreadable: {
                total: number;
                fills: {
                    fillId: string;
                    /** Format: uuid */
                    executionId: string;
                    venue: string;
                    /** @enum {string} */
                    reason: "not_supported" | "no_terms" | "unreadable";
                }[];
            };
            /** @description completed splits, merges and conversions that count nowhere, because what they exchanged is not known; the first 100 */
            exchanges: {
                total: number;
                executions: {
                    /** Format: uuid */
                    executionId: string;
                    venue: string;
                    /** @enum {string} */
                    intent: "split" | "merge" | "convert";
                }[];
            };
        };
        PortfolioImport: {
            importId: string;
            /** @enum {string} */
            kind: "position" | "transfer";
            venue: string;
            ref: string;
            currency: string | null;
            marketId: string | null;
            outcomeId: string | null;
            size: string | null;
            cost: string | null;
            cash: string | null;
            /** Format: date-time */
            at: string;
            /** Format: date-time */
            createdAt: string;
        };
        PortfolioPeriod: {
            /** @description `2026-11-30` or `2026-11`, UTC */
            period: string;
            venue: string;
            currency: string | null;
            /** @description at average cost; before fees that are unknown */
            realizedPnl: string | null;
            fees: components["schemas"]["PortfolioEntrySum"];
            /** @description transfers, and imports at their cost */
            deposits: components["schemas"]["PortfolioEntrySum"];
            /** @description paid for purchases, before fees */
            bought: components["schemas"]["PortfolioEntrySum"];
            /** @description received for sales, before fees */
            sold: components["schemas"]["PortfolioEntrySum"];
            fills: number;
        };
        PortfolioPosition: {
            venue: string;
            marketId: string;
            outcomeId: string;
            /** @description of all its amounts; null where no source names it */
            currency: string | null;
            /** @description below zero: more was sold here than bought */
            quantity: string;
            /** @description of the open quantity at average cost, fees included */
            costBasis: string | null;
            /** @description per share, rounded to 9 places */
            averageCost: string | null;
            /** @description first in, first out */
            costBasisFifo: string | null;
            /** @description at average cost, fees included */
            realizedPnl: string | null;
            realizedPnlFifo: string | null;
            /** @description paid in cash */
            fees: string | null;
            /** @description shares that came in by fills, splits and conversions; without imports */
            bought: string;
            /** @description shares that left by fills, merges and conversions; without imports */
            sold: string;
            market: string | null;
            label: string | null;
            marketStatus: string | null;
            /** Format: date-time */
            resolutionDate: string | null;
            /** @description null: the market is not known to be resolved */
            settlement: {
                /** @description payout of a share */
                value: string;
                /** @description shares whose payout is not collected */
                unclaimed: string;
                paid: string;
                /** Format: date-time */
                at: string | null;
                /** @description of `at`: as the venue reports it, or what it was estimated from */
                timeSource: ("venue" | "resolutionDate" | "catalogUpdate" | "lastTrade" | "redemption") | null;
            } | null;
            marks: components["schemas"]["MarkValues"];
            value: {
                /** @description at the middle of the live book */
                mid: string | null;
                /** @description sold into the live book as a whole; bought back from it, for a quantity below zero */
                bid: string | null;
                /** @description at the last known price */
                last: string | null;
                /** @description payout of the unclaimed shares */
                settlement: string | null;
            };
            unrealizedPnl: components["schemas"]["MarkValues"];
            /** Format: date-time */
            openedAt: string | null;
            /** Format: date-time */
            updatedAt: string;
        };
        PortfolioProvenance: {
            /** @constant */
            source: "journal";
            /** @description where the entries of the ledger come from */
            entries: ("journal" | "venue_api" | "chain" | "import")[];
            /**
             * @description true: simulated venues
             * @constant
             */
            lab?: true;
        };
        PortfolioStatement: {
            period: string;
            /**
             * Format: date-time
             * @description inclusive
             */
            from: string;
            /**
             * Format: date-time
             * @description exclusive
             */
            to: string;
            /** @description false: the period has not ended */
            isComplete: boolean;
            opening: components["schemas"]["StatementPosition"][];
            /** @description oldest first */
            entries: components["schemas"]["StatementEntry"][];
            closing: components["schemas"]["StatementPosition"][];
            /** @description what the period added, by venue and currency */
            totals: components["schemas"]["StatementTotals"][];
        };
        PortfolioSum: {
            /** @description the sum of what is known */
            known: string;
            /** @description positions left out of it */
            unknown: number;
        };
        PortfolioSummary: {
            byVenue: components["schemas"]["PortfolioVenueTotals"][];
            byCurrency: components["schemas"]["PortfolioCurrencyTotals"][];
        };
        PortfolioVenueTotals: {
            venue: string;
            currency: string | null;
            /** @description deposits, sales and payouts less purchases and fees; not the venue’s balance */
            cashFlow: string | null;
            /** @description transfers, and imports at their cost */
            deposits: string;
            fees: components["schemas"]["PortfolioSum"];
            /** @description at average cost */
            realizedPnl: components["schemas"]["PortfolioSum"];
            realizedPnlFifo: components["schemas"]["PortfolioSum"];
            /** @description of open positions */
            value: {
                mid: components["schemas"]["PortfolioSum"];
                bid: components["schemas"]["PortfolioSum"];
                last: components["schemas"]["PortfolioSum"];
            };
            /** @description payouts of resolved markets that are not collected */
            unclaimed: string;
            unrealizedPnl: {
                mid: components["schemas"]["PortfolioSum"];
                bid: components["schemas"]["PortfolioSum"];
                last: components["schemas"]["PortfolioSum"];
            };
            positions: {
                open: number;
                closed: number;
            };
            unknown: {
                field: string;
                /** @enum {string} */
                reason: "amount_not_reported" | "cost_not_entered" | "cost_unknown" | "no_live_book" | "book_too_thin" | "no_last_price" | "payout_unknown" | "catalog_unavailable";
                /** @description positions, or entries */
                count: number;
            }[];
        };
        PositionalArguments: {
            args: unknown[];
        };
        /**
         * @example {
         *       "outcome": "0xa1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1a1-0xb2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2b2",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.55",
         *       "size": "21.5",
         *       "owner": "0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47",
         *       "signer": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        PredBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            isBuy: boolean;
            price: components["schemas"]["Amount"];
            size: components["schemas"]["Amount"];
            owner: string;
            signer: string;
        };
        PredCancelArtifact: {
            parentMarketId: string;
            order_id: string;
            market_id: string;
            proxy: string;
            wallet: string;
        };
        PredOrderArtifact: {
            domain: {
                /** @constant */
                name: "Pred CTF Exchange";
                /** @constant */
                version: "1";
                /** @enum {number} */
                chainId: 8453 | 84532;
                verifyingContract: string;
            };
            types: unknown;
            /** @constant */
            primaryType: "Order";
            message: {
                salt: string;
                maker: string;
                signer: string;
                taker: string;
                price: string;
                quantity: string;
                /** @constant */
                expiration: "0";
                /** @constant */
                nonce: "0";
                questionId: string;
                /** @constant */
                feeRateBps: "0";
                /** @enum {number} */
                intent: 0 | 1;
                /** @constant */
                signatureType: 2;
            };
            post: {
                parentMarketId: string;
            };
        };
        /**
         * @example {
         *       "owner": "0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47",
         *       "accessToken": "token-1"
         *     }
         */
        PredRefreshBody: {
            owner: string;
            accessToken: string;
            signer?: string;
        };
        /**
         * @example {
         *       "owner": "0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47",
         *       "accessToken": "token-1",
         *       "signature": "0x1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b"
         *     }
         */
        PredSubmitBody: {
            owner: string;
            accessToken: string;
            signer?: string;
            signature?: string;
        };
        /**
         * @example {
         *       "outcome": "1739803",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.456",
         *       "size": "21.04",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        PredictfunBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            isBuy: boolean;
            price: components["schemas"]["Amount"];
            size: components["schemas"]["Amount"];
            owner: string;
            predictAccount?: string;
            buildResult?: unknown;
            expiresAt?: number | string;
            postOnly?: boolean;
            /** @enum {string} */
            selfTradePrevention?: "cancel-taker" | "cancel-maker" | "cancel-both";
        };
        PredictfunCancelArtifact: {
            orderHash: string;
        };
        PredictfunConvertArtifact: {
            to: string;
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 56;
        };
        /**
         * @example {
         *       "intent": "convert",
         *       "outcomes": [
         *         "1739803",
         *         "1739804"
         *       ],
         *       "amount": "25",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        PredictfunConvertBody: {
            dryRun?: boolean;
            /** @constant */
            intent: "convert";
            outcomes: string[];
            amount: components["schemas"]["Amount"];
            owner: string;
            predictAccount?: string;
        };
        PredictfunMergeArtifact: {
            to: string;
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 56;
        };
        /**
         * @example {
         *       "intent": "merge",
         *       "outcome": "1739803",
         *       "amount": "25",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        PredictfunMergeBody: {
            dryRun?: boolean;
            /** @constant */
            intent: "merge";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            amount: components["schemas"]["Amount"];
            owner: string;
            predictAccount?: string;
        };
        PredictfunOrderArtifact: {
            domain: {
                /** @constant */
                name: "predict.fun CTF Exchange";
                /** @constant */
                version: "1";
                /** @constant */
                chainId: 56;
                /** @enum {string} */
                verifyingContract: "0x8BC070BEdAB741406F4B1Eb65A72bee27894B689" | "0x365fb81bd4A24D6303cd2F19c349dE6894D8d58A" | "0x6bEb5a40C032AFc305961162d8204CDA16DECFa5" | "0x8A289d458f5a134bA40015085A8F50Ffb681B41d";
            };
            types: unknown;
            /** @constant */
            primaryType: "Order";
            message: {
                salt: components["schemas"]["Uint256"];
                maker: string;
                signer: string;
                /** @constant */
                taker: "0x0000000000000000000000000000000000000000";
                tokenId: components["schemas"]["Uint256"];
                makerAmount: components["schemas"]["Uint256"];
                takerAmount: components["schemas"]["Uint256"];
                expiration: components["schemas"]["Uint256"];
                /** @constant */
                nonce: "0";
                feeRateBps: components["schemas"]["Uint256"];
                /** @enum {number} */
                side: 0 | 1;
                /** @constant */
                signatureType: 0;
            };
            post: {
                pricePerShare: string;
                /** @constant */
                strategy: "LIMIT";
                /** @constant */
                isPostOnly?: true;
                /** @enum {string} */
                selfTradePrevention?: "CANCEL_TAKER" | "CANCEL_MAKER" | "CANCEL_BOTH";
            };
            kernel?: {
                owner: string;
                digest: string;
            };
        };
        PredictfunRedeemArtifact: {
            to: string;
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 56;
        };
        /**
         * @example {
         *       "intent": "redeem",
         *       "outcome": "1739803",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        PredictfunRedeemBody: {
            dryRun?: boolean;
            /** @constant */
            intent: "redeem";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            owner: string;
            predictAccount?: string;
            amount?: components["schemas"]["Amount"];
        };
        /**
         * @example {
         *       "apiKey": "key-1",
         *       "jwt": "header.claims.signature"
         *     }
         */
        PredictfunRefreshBody: {
            apiKey: string;
            jwt: string;
        };
        PredictfunSplitArtifact: {
            to: string;
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 56;
        };
        /**
         * @example {
         *       "intent": "split",
         *       "outcome": "1739803",
         *       "amount": "25",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        PredictfunSplitBody: {
            dryRun?: boolean;
            /** @constant */
            intent: "split";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            amount: components["schemas"]["Amount"];
            owner: string;
            predictAccount?: string;
        };
        /**
         * @example {
         *       "apiKey": "key-1",
         *       "jwt": "header.claims.signature",
         *       "signature": "0x1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b"
         *     }
         */
        PredictfunSubmitBody: {
            apiKey: string;
            jwt: string;
            signature?: string;
        };
        /**
         * @example {
         *       "outcome": "uae-cup-final",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.42",
         *       "size": "21.5",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
         *       "vault": "0xd93B25cb943D14d0d34FBaF01Fc93a0f8b5F6E47"
         *     }
         */
        PredictstreetBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            isBuy: boolean;
            price: components["schemas"]["Amount"];
            size: components["schemas"]["Amount"];
            owner: string;
            vault: string;
        };
        PredictstreetCancelArtifact: {
            orderId: string;
        };
        PredictstreetOrderArtifact: {
            domain: {
                /** @constant */
                name: "PredictStreet";
                version: string;
                /** @constant */
                chainId: 36900;
                /** @enum {string} */
                verifyingContract: "0x3b32619897ae40C79b7086a0EB3F985077e7Fed7" | "0x65A068b3C1C3088B1B23499A6104045f2b661B3e";
            };
            types: unknown;
            /** @constant */
            primaryType: "Order";
            message: {
                salt: components["schemas"]["Uint256"];
                maker: string;
                signer: string;
                /** @constant */
                taker: "0x0000000000000000000000000000000000000000";
                tokenId: components["schemas"]["Uint256"];
                makerAmount: components["schemas"]["Uint256"];
                takerAmount: components["schemas"]["Uint256"];
                /** @constant */
                expiration: "0";
                /** @constant */
                feeRateBps: "0";
                /** @enum {number} */
                side: 0 | 1;
                /** @constant */
                signatureType: 1;
            };
            post: {
                marketId: string;
                outcome: string;
                price: string;
                quantity: string;
                /** Format: uuid */
                clientOrderId: string;
            };
        };
        /**
         * @example {
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
         *       "apiKey": "ps_live_1"
         *     }
         */
        PredictstreetRefreshBody: {
            owner: string;
            apiKey: string;
        };
        /**
         * @example {
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266",
         *       "apiKey": "ps_live_1",
         *       "signature": "0x1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b1b"
         *     }
         */
        PredictstreetSubmitBody: {
            owner: string;
            apiKey: string;
            signature?: string;
        };
        PriceDifference: {
            a: components["schemas"]["ReviewedMarket"];
            b: components["schemas"]["ReviewedMarket"];
            /** @description What the matcher reads of both, field by field; the rules last */
            fields: components["schemas"]["ReviewedField"][];
            /** @description As of the last run; null: not stored */
            band: components["schemas"]["MatchBand"] | null;
            differences: string[];
            /**
             * @description inverse: Yes of one is No of the other
             * @enum {string}
             */
            polarity: "same" | "inverse";
            /** @description Of Yes, as last listed by each venue */
            quotes: {
                a: components["schemas"]["MarketQuote"];
                b: components["schemas"]["MarketQuote"];
            };
            /**
             * Format: date-time
             * @description Every observation found a difference since then
             */
            since: string;
            /**
             * Format: date-time
             * @description When it had lasted for an hour
             */
            demotedAt: string;
            /** Format: date-time */
            observedAt: string;
            /** @description How much the mid prices differed beyond half of both spreads and both taker fees at observedAt, probability */
            excess: number;
        };
        Provenance: {
            source: string;
            /**
             * @description true: simulated venues
             * @constant
             */
            lab?: true;
        };
        RainArtifact: {
            to: string;
            data: string;
            /** @constant */
            value: "0";
            /** @constant */
            chainId: 42161;
        };
        /**
         * @example {
         *       "outcome": "0x5921a9201ca251e9596ede57b67125d5c42c6077:2",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.4",
         *       "amount": "20",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        RainBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            /**
             * @default limit
             * @enum {string}
             */
            action?: "limit" | "market";
            isBuy: boolean;
            price?: components["schemas"]["Amount"];
            amount: components["schemas"]["Amount"];
            owner: string;
            slippageBps?: number;
            deadlineSecondsFromNow?: number;
            postOnly?: boolean;
        };
        /**
         * @example {
         *       "orderId": "17"
         *     }
         */
        RainCancelBody: {
            orderId: number | string;
        };
        /**
         * @example {
         *       "transactionHash": "0xabababababababababababababababababababababababababababababababab"
         *     }
         */
        RainSubmitBody: {
            signedTransaction?: string;
            transactionHash?: string;
        };
        Range: {
            min?: number;
            max?: number;
        };
        ReconciledHolding: {
            /** @description below zero: short */
            quantity: string;
            /** @description per share; ours includes fees, the venue’s does not */
            averageCost: string | null;
        };
        ReconciledOrder: {
            /** @description the venue’s */
            orderId: string;
            /**
             * Format: uuid
             * @description ours; with class pending it may be this one
             */
            executionId: string | null;
            /** @description of our execution */
            status: components["schemas"]["ExecutionStatus"] | null;
            marketId: string | null;
            outcomeId: string | null;
            side: ("buy" | "sell") | null;
            price: string | null;
            /** @description not filled yet */
            remaining: string | null;
            class: components["schemas"]["ReconciliationClass"];
            evidence: {
                /** @enum {string} */
                reason: "same" | "rests_after_end" | "not_in_journal" | "outcome_unknown" | "not_at_venue" | "list_incomplete" | "recent";
            };
        };
        ReconciledPosition: {
            /** @description null: the catalog does not know the outcome */
            marketId: string | null;
            outcomeId: string;
            /** @description null: no position */
            ours: components["schemas"]["ReconciledHolding"] | null;
            /** @description null: no position */
            theirs: components["schemas"]["ReconciledHolding"] | null;
            class: components["schemas"]["ReconciliationClass"];
            evidence: {
                reason: components["schemas"]["ReconciliationReason"];
                /** @description the venue’s quantity less ours */
                difference: string;
                /** @description of the average cost; null: not compared */
                costDifference: string | null;
                /**
                 * Format: date-time
                 * @description of our last entry in this outcome
                 */
                lastEntryAt: string | null;
                /** @description executions of which the venue reported more as filled than is stored */
                unexplained: string[];
            };
            /** @description of an orphan: the body for POST /v1/portfolio/imports, which enters it once; null where there is nothing to enter */
            import: {
                /** @constant */
                kind: "position";
                venue: string;
                /** @description your own name of it: a ref is entered once per venue */
                ref: string;
                /**
                 * Format: date-time
                 * @description when it happened
                 */
                at: string;
                marketId: string;
                outcomeId: string;
                /** @description default: that of the market */
                currency?: string;
                /** @description below zero: a short position, or what undoes an earlier import */
                size: string;
                /**
                 * @description of the whole, with the sign of size; null: unknown
                 * @default null
                 */
                cost: string | null;
            } | null;
        };
        ReconciledVenue: {
            venue: string;
            /**
             * Format: date-time
             * @description time of the venue’s lists; null: they could not be read
             */
            asOf: string | null;
            /** @enum {string} */
            provenance: "venue_api" | "chain";
            /** @description false: what the lists do not show proves nothing; null: not read */
            isComplete: boolean | null;
            /** @description null: not read */
            balances: {
                currency: string | null;
                total: string | null;
                available: string | null;
            }[] | null;
            /** @description null: not read; never an empty list for that */
            positions: components["schemas"]["ReconciledPosition"][] | null;
            /** @description null: not read, or this venue’s list is not documented */
            openOrders: components["schemas"]["ReconciledOrder"][] | null;
            error: {
                code: string;
                message: string;
            } | null;
        };
        /**
         * @description orphan: only the venue shows it. ghost: only the journal has it. unproven: only the journal has it, and the venue’s list proves nothing about it. pending: fills, or a settlement, that one side does not have yet
         * @enum {string}
         */
        ReconciliationClass: "equal" | "drift" | "orphan" | "ghost" | "unproven" | "pending";
        ReconciliationGap: {
            venue: string;
            reason: string;
        };
        /** @enum {string} */
        ReconciliationReason: "same" | "within_rounding" | "quantity" | "cost" | "not_in_journal" | "not_at_venue" | "list_incomplete" | "market_ended" | "fills_not_stored" | "fills_not_shown" | "settled";
        RecordedDecision: {
            id: string;
            /** @enum {string} */
            action: "decide" | "withdraw";
            /** @description null for a withdrawal */
            verdict: ("same" | "different") | null;
            relation: ("identity" | "complement" | "subset" | "superset" | "overlap" | "disjoint") | null;
            reasons: {
                field: string;
                reason: string;
            }[];
            decidedBy: string;
            /** Format: date-time */
            decidedAt: string;
            applies: boolean;
        };
        /**
         * @description At limitless, myriad, opinion, polymarket, rain
         * @example {
         *       "intent": "redeem",
         *       "outcome": "512345",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        RedeemBody: {
            dryRun?: boolean;
            /** @constant */
            intent: "redeem";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            owner: string;
        };
        Redeemable: {
            venue: string;
            /** @description null: the catalog does not know the outcome */
            marketId: string | null;
            outcomeId: string;
            market: string | null;
            label: string | null;
            /** @description shares */
            quantity: string;
            /** @description of a share; null: not known yet */
            payout: string | null;
            /** @description payout of the quantity, before fees */
            amount: string | null;
            currency: string | null;
            /** @description the venue pays without a claim */
            paysItself: boolean;
            /**
             * @description of the quantity
             * @enum {string}
             */
            provenance: "journal" | "venue_api" | "chain";
            /**
             * Format: date-time
             * @description of the quantity
             */
            asOf: string;
            /** @description body for POST /v1/exec/{venue}/orders/build; outcomes of one market may be redeemed by the same */
            build: {
                [key: string]: string;
            } | null;
            /** @description why there is no body */
            obstacle: {
                /** @enum {string} */
                reason: "wallet_unknown" | "pays_itself" | "not_supported" | "wallet_not_supported" | "market_unknown";
                detail: string;
            } | null;
        };
        /**
         * @description At hyperliquid, limitless, myriad, pascal, rain
         * @example {}
         */
        RefreshBody: Record<string, never>;
        Replacement: {
            /** @enum {string} */
            kind: "modify" | "pair";
            /** Format: uuid */
            replacesExecutionId: string;
            /** @description of a `modify`: to be submitted, like any modification */
            modify: components["schemas"]["Execution"] | null;
            /** @description of a `pair`: to be submitted first; null: the order had ended already */
            cancel: components["schemas"]["Execution"] | null;
            /** @description of a `pair`: to be submitted once the replaced order is `canceled`; until then its submit is refused */
            order: components["schemas"]["Execution"] | null;
            /** @description of a `pair`: of the new order, decimal string */
            size: string | null;
        };
        ReplayLine: components["schemas"]["TopOfBookLine"] | components["schemas"]["TradeLine"] | components["schemas"]["CandleLine"] | components["schemas"]["DepthLine"] | components["schemas"]["CursorLine"];
        ReviewedField: {
            field: string;
            a: string | null;
            b: string | null;
            equal: boolean;
        };
        ReviewedMarket: {
            venue: string;
            marketId: string;
            title: string;
            url: string;
            outcomes: {
                outcomeId: string;
                label: string;
                price: number | null;
            }[];
            openInterest: number | null;
        };
        ReviewedPair: {
            a: components["schemas"]["ReviewedMarket"];
            b: components["schemas"]["ReviewedMarket"];
            /** @description What the matcher reads of both, field by field; the rules last */
            fields: components["schemas"]["ReviewedField"][];
            /** @description As of the last run; null: not stored */
            band: components["schemas"]["MatchBand"] | null;
            differences: string[];
        };
        /** @enum {string} */
        RiskLimitKind: "notional" | "openNotional" | "openOrders" | "position" | "orderRate" | "priceCollar" | "dailyLoss" | "exposure";
        RiskLimitUse: {
            /** Format: uuid */
            accountId: string;
            /** Format: uuid */
            keyId: string | null;
            venue: string | null;
            kind: components["schemas"]["RiskLimitKind"];
            value: string;
            unit: string;
            /** @enum {string} */
            onBreach: "refuse" | "halt";
            /** Format: date-time */
            setAt: string;
            /** @description In the unit of the limit, now; null: unknown, or it is different for each order */
            used: string | null;
        };
        RouterAlternative: {
            venue: string;
            marketId: string;
            structure: boolean;
            contracts: string;
            averageTotal: string | null;
            total: string;
        };
        RouterExposure: {
            position: number;
            contracts: string;
        };
        RouterGroup: {
            /** Format: uuid */
            groupId: string | null;
            kind: components["schemas"]["RouterGroupKind"];
            status: components["schemas"]["RouterStatus"];
            /** Format: uuid */
            closesGroupId: string | null;
            closedBy: string[];
            request: components["schemas"]["JsonObject"];
            quote: components["schemas"]["RouterQuote"];
            alternatives: components["schemas"]["RouterAlternative"][];
            leftOut: components["schemas"]["RouterLeftOut"][];
            legs: components["schemas"]["RouterLeg"][];
            exposure: components["schemas"]["RouterExposure"][] | null;
            remaining: string | null;
            realised: {
                contracts: string;
                total: string | null;
                edge: string | null;
                quotedEdge: string | null;
            } | null;
            /** Format: date-time */
            createdAt: string;
        };
        /** @enum {string} */
        RouterGroupKind: "route" | "arbitrage" | "structure";
        RouterLeftOut: {
            venue: string;
            marketId: string;
            structure: boolean;
            reason: string;
        };
        RouterLeg: {
            position: number;
            component: number;
            venue: string;
            marketId: string;
            outcomeId: string;
            /** @enum {string} */
            outcomeSide: "YES" | "NO";
            isBuy: boolean;
            size: string;
            limitPrice: string;
            averagePrice: string;
            notional: string;
            fee: string;
            bookAgeMs: number | null;
            immediate: boolean;
            closesPosition: number | null;
            execution: components["schemas"]["Execution"] | null;
            error: components["schemas"]["ItemError"] | null;
            warnings?: string[];
            matchedSize: string | null;
            paidPrice: string | null;
            paidFee: string | null;
        };
        RouterQuote: {
            contracts: string;
            notional: string;
            fee: string;
            settlementFee: string;
            averagePrice: string | null;
            total: string;
            filled: boolean;
            proven: boolean;
            gap: string | null;
            payout: string | null;
            edge: string | null;
        };
        /** @enum {string} */
        RouterStatus: "planned" | "building" | "built" | "working" | "filled" | "partial" | "unequal" | "unfilled";
        RunCompleted: {
            id: string;
            job: string;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            finished_at: string;
            ok: boolean;
            counts: {
                [key: string]: number | string;
            };
        };
        ScreenMarket: {
            marketType: string;
            period: string;
            slot: string;
            line: number | null;
            outcomes: components["schemas"]["ScreenOutcome"][];
        };
        ScreenOutcome: {
            outcome: string;
            name: string;
            best: {
                venue: string;
                marketId: string;
                outcomeId: string;
                price: number;
                size: number;
            } | null;
            venues: components["schemas"]["VenuePrice"][];
        };
        Series: {
            id: string;
            title: string;
            ticker?: string;
            slug?: string;
            description?: string;
            recurrence?: string;
            url?: string;
            image?: string;
            sourceExchange: string;
            sourceMetadata: {
                [key: string]: unknown;
            };
        };
        ShareAmount: {
            marketId: string;
            outcomeId: string;
            size: string;
        };
        SharesExchange: {
            /** @description sets; of a conversion the shares given of each outcome */
            size: string;
            gives: components["schemas"]["ShareAmount"][];
            /** @description after the fee of the contract */
            receives: components["schemas"]["ShareAmount"][];
            /** @description received, after the fee of the contract; below zero: paid */
            cash: string;
        };
        SmartMoneyTrade: {
            venue: string;
            marketId: string;
            outcomeId: string | null;
            tradeId: string;
            ts: number;
            wallet: string;
            displayName?: string;
            side: ("buy" | "sell") | null;
            price: number | null;
            amount: number | null;
            usdSize: number | null;
            tradeScore: number;
            tradeFactors: components["schemas"]["TradeFactors"];
            /** @constant */
            scoreVersion: "t1";
            walletScoreAtTrade: number | null;
            categoryAtTrade: components["schemas"]["WalletCategory"] | null;
        };
        SpendCap: {
            /** @enum {string} */
            scope: "account" | "key";
            /**
             * Format: date
             * @description The UTC day of the reservations: today
             */
            day: string;
            /** @description Decimal dollars */
            dailyUsd: string;
            /** @description Decimal dollars held by orders built today, except those that ended unfilled */
            reservedUsd: string;
        };
        /**
         * @description At limitless, myriad, opinion, polymarket
         * @example {
         *       "intent": "split",
         *       "outcome": "512345",
         *       "amount": "25",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        SplitBody: {
            dryRun?: boolean;
            /** @constant */
            intent: "split";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            amount: components["schemas"]["Amount"];
            owner: string;
        };
        SportsMeta: {
            /**
             * Format: date-time
             * @description of the oldest block served; of the mirror where none is
             */
            asOf: string;
            degraded: boolean;
            degradedReason: string | null;
            engine: {
                /** Format: date-time */
                heartbeatAt: string;
                lagMs: number;
                fixtures: number;
                blocks: number;
            };
            index: {
                /** Format: date-time */
                refreshedAt: string;
                fixtures: number;
            };
            /** @description ms */
            freshness: {
                live: number;
                day: number;
                week: number;
            };
            unplaced: {
                [key: string]: number;
            };
        };
        /** @enum {string} */
        StaleReason: "disconnected" | "feed_error" | "unsubscribed" | "gap" | "unreadable" | "hash_mismatch" | "negative" | "scale" | "crossed" | "best_mismatch" | "book_mismatch" | "frozen" | "silence" | "resync_unanswered" | "lagging" | "moved" | "resync" | "unreachable" | "clock_turned_back" | "not_polled" | "unwatched" | "ingest_restarted" | "ingest_stopped" | "owner_silent" | "owner_changed" | "received_late" | "not_received";
        StatementEntry: {
            id: string;
            /** Format: date-time */
            at: string;
            /** @enum {string} */
            kind: "fill" | "correction" | "settlement" | "redemption" | "split" | "merge" | "conversion" | "transfer" | "import";
            venue: string;
            currency: string | null;
            /** @enum {string} */
            provenance: "journal" | "venue_api" | "chain" | "import";
            marketId: string | null;
            outcomeId: string | null;
            side: ("buy" | "sell") | null;
            size: string | null;
            /** @description before fees; of an import its cost, of a settlement the payout of a share */
            cash: string | null;
            fee: string | null;
            feeIn: ("cash" | "outcome") | null;
            /** Format: uuid */
            executionId: string | null;
            /** @description of a correction: the entry that counts no longer */
            withdraws: string | null;
            isWithdrawn: boolean;
        };
        StatementPosition: {
            venue: string;
            marketId: string;
            outcomeId: string;
            /** @description of all its amounts; null where no source names it */
            currency: string | null;
            /** @description below zero: more was sold here than bought */
            quantity: string;
            /** @description of the open quantity at average cost, fees included */
            costBasis: string | null;
            /** @description per share, rounded to 9 places */
            averageCost: string | null;
            /** @description first in, first out */
            costBasisFifo: string | null;
            /** @description at average cost, fees included */
            realizedPnl: string | null;
            realizedPnlFifo: string | null;
            /** @description paid in cash */
            fees: string | null;
            /** @description shares that came in by fills, splits and conversions; without imports */
            bought: string;
            /** @description shares that left by fills, merges and conversions; without imports */
            sold: string;
        };
        StatementTotals: {
            venue: string;
            currency: string | null;
            cashFlow: string | null;
            deposits: components["schemas"]["PortfolioEntrySum"];
            fees: components["schemas"]["PortfolioEntrySum"];
            realizedPnl: string | null;
        };
        StoredRiskLimit: {
            /** Format: uuid */
            accountId: string;
            /** Format: uuid */
            keyId: string | null;
            venue: string | null;
            kind: components["schemas"]["RiskLimitKind"];
            value: string;
            unit: string;
            /** @enum {string} */
            onBreach: "refuse" | "halt";
            /** Format: date-time */
            setAt: string;
            /** @description Name of the account */
            account: string;
            /** @description The key, or the name of the operator */
            setBy: string;
        };
        Structure: {
            id: string;
            kind: components["schemas"]["StructureKind"];
            legs: components["schemas"]["StructureLeg"][];
            contracts: number;
            worstPayout: number;
            capital: number;
            edge: number;
            roi: number;
            relations: {
                id: string;
                kind: string;
                band: components["schemas"]["MatchBand"];
                reason: string | null;
            }[];
            weakest: {
                id: string;
                band: components["schemas"]["MatchBand"];
            } | null;
            executable: boolean;
            reasons: string[];
            proven: boolean;
            asOf: string | null;
        };
        /** @enum {string} */
        StructureKind: "equality" | "implication" | "exclusion" | "partition" | "ladder" | "combination";
        StructureLeg: {
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
        };
        SubmittedItem: {
            /** @constant */
            ok: true;
            /**
             * @description an earlier request with this Idempotency-Key did it
             * @constant
             */
            replay?: true;
            data: components["schemas"]["Execution"];
        } | {
            /** @constant */
            ok: false;
            error: components["schemas"]["ItemError"];
        };
        /**
         * @example {
         *       "apiKey": "key-1"
         *     }
         */
        SxbetRefreshBody: {
            apiKey: string;
        };
        Team: {
            id: string;
            name: string;
        };
        TemplateDecision: {
            a: string;
            b: string;
            /** @enum {string} */
            verdict: "same" | "different";
            /** @enum {string} */
            relation: "identity" | "complement" | "subset" | "superset" | "overlap" | "disjoint";
            readonly reasons: {
                field: string;
                reason: string;
            }[];
            readonly evidence: string[];
            /** Format: date-time */
            decidedAt: string;
            decidedBy: string;
            /** @enum {string} */
            source: "shipped" | "operator" | "judge";
        };
        TemplatePair: {
            /** @description The first 32 hex digits of the SHA-256 of both texts, joined by a newline */
            key: string;
            a: string;
            b: string;
            /** @description What the placeholders replace in one of its pairs of markets */
            slots: components["schemas"]["TemplateSlot"][];
            /** @description null: not among the open pairs of the last run, and its value is unknown */
            pairs: number | null;
            /** @description Of its markets, estimated, in the venues’ own units */
            openInterest: number | null;
            /** @description Largest difference of Yes prices between two of its markets, probability */
            edge: number | null;
            examples: components["schemas"]["ReviewedPair"][];
            /** @description The newest 100, newest first */
            decisions: components["schemas"]["RecordedDecision"][];
        };
        TemplateSlot: {
            placeholder: string;
            kind: string;
            a: string;
            b: string;
        };
        /** @example 2026-11-22T12:00:00Z */
        Time: number | string;
        TopOfBookLine: {
            /** @constant */
            k: "tob";
            /** @description event time, epoch ms */
            ts: number;
            bid: number | null;
            bidSize: number | null;
            ask: number | null;
            askSize: number | null;
            /** @description when it was received, epoch ms */
            recvTs: number;
            /** @description order of rows received in the same millisecond */
            seq: number;
        };
        Trade: {
            id: string;
            timestamp: number;
            price: number | null;
            amount: number;
            /** @enum {string} */
            side: "buy" | "sell" | "unknown";
            outcomeId: string;
        };
        TradeFactors: {
            walletScore: number | null;
            size: number | null;
            entry: number | null;
            timing: number | null;
        };
        TradeLine: {
            /** @constant */
            k: "trades";
            /** @description event time, epoch ms */
            ts: number;
            venue: string;
            outcomeId: string;
            tradeId: string;
            price: number | null;
            size: number;
            /**
             * @description the taker’s
             * @enum {string}
             */
            side: "buy" | "sell" | "unknown";
            transactionHash: string | null;
            /** @description when it was received, epoch ms */
            recvTs: number;
        };
        TraderHolder: {
            wallet: string;
            displayName?: string;
            outcomeId: string;
            shares: number;
            usdValue: number | null;
        };
        TraderProvenance: {
            /** @enum {string} */
            source: "archive" | "venue-rest";
            /**
             * @description true: simulated venues
             * @constant
             */
            lab?: true;
        };
        TraderScore: {
            venue: string;
            wallet: string;
            displayName: string | null;
            score: number | null;
            scoreVersion: "w1" | null;
            factors: components["schemas"]["WalletFactors"] | null;
            category: components["schemas"]["WalletCategory"] | null;
            stats: components["schemas"]["WalletStats"];
            /** Format: date-time */
            refreshedAt: string | null;
            /** @enum {string} */
            refreshState: "current" | "stale" | "pending" | "live";
            /** Format: date-time */
            asOf: string;
            provenance: components["schemas"]["TraderProvenance"];
            note?: string;
        };
        TraderTrade: {
            venue: string;
            marketId: string;
            outcomeId: string | null;
            tradeId: string;
            ts: number;
            wallet: string | null;
            displayName?: string;
            side: ("buy" | "sell") | null;
            price: number | null;
            amount: number | null;
            usdSize: number | null;
        };
        TriggerRule: {
            /** @enum {string} */
            when?: "at_or_above" | "at_or_below";
            price?: number;
            trail?: components["schemas"]["TriggerTrail"];
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
        TriggerTrail: {
            /** @constant */
            by: "price";
            distance: number;
        } | {
            /** @constant */
            by: "percent";
            distance: number;
        };
        TriggerTrailInput: {
            /** @constant */
            by: "price";
            distance: number;
        } | {
            /** @constant */
            by: "percent";
            distance: number;
        };
        Uint256: string;
        UnresolvedOrder: {
            /** Format: uuid */
            executionId: string;
            venue: string;
            intent: components["schemas"]["Intent"];
            /** @enum {string} */
            status: "submitted" | "acked";
            venueRef: string | null;
            /**
             * Format: uuid
             * @description the order that a cancel or a modify is for
             */
            targetExecutionId: string | null;
            /** Format: uuid */
            conditionalId: string | null;
            /** Format: uuid */
            groupId: string | null;
            marketId: string | null;
            outcomeId: string | null;
            side: ("buy" | "sell") | null;
            price: string | null;
            size: string | null;
            matchedSize: string | null;
            /** @description what is known of the venue’s response to the submit */
            response: string | null;
            /**
             * Format: date-time
             * @description since when reads of the venue do not show it
             */
            missingSince: string | null;
            waitsFor: {
                /**
                 * @description `response_pending`: it may still leave, or its response may still arrive. `late_copy_possible`: the venue may still accept it. `read_due`: it no longer may, so that reads settle it. `no_venue_rule`: nothing but a read that shows it, or its owner, settles it. `fills_incomplete`: the venue has reported a fill, and no status. `not_shown`: it was accepted, and the venue no longer shows it
                 * @enum {string}
                 */
                code: "response_pending" | "late_copy_possible" | "read_due" | "no_venue_rule" | "fills_incomplete" | "not_shown";
                text: string;
            };
            /** Format: date-time */
            since: string;
            /**
             * Format: date-time
             * @description when what it waits for is over; null: nothing determines that
             */
            until: string | null;
            actions: components["schemas"]["OrderAction"][];
        };
        Usage: {
            /** Format: date */
            from: string;
            /**
             * Format: date
             * @description Inclusive
             */
            to: string;
            total: {
                calls: number;
                credits: number;
            };
            /** @description By day, then by operation */
            lines: components["schemas"]["UsageLine"][];
            /** @description The same calls by key, most calls first; revoked keys too */
            byKey: components["schemas"]["KeyUsage"][];
        };
        UsageLine: {
            /**
             * Format: date
             * @description UTC
             */
            day: string;
            operationId: string;
            /** @description Answered calls; refused and failed ones are not counted */
            calls: number;
            credits: number;
        };
        Venue: {
            venue: string;
            title: string;
            /**
             * @description offers: rebuilt from what peers offer
             * @enum {string}
             */
            book: "clob" | "clob_or_amm" | "offers" | "emulated";
            /** @enum {string} */
            depth: "yes" | "no" | "per-market" | "degraded";
            volume24h: {
                source: string;
                unit: string;
            } | false;
            stalenessMs: number | null;
            /** @description takes orders; GET /v1/exec/venues says which lanes are armed */
            execution: boolean;
            deposit: {
                chain: string;
                token: string;
                symbol: string;
                decimals: number | null;
            } | null;
            /** @description what /v1/traders serves for it here; null: nothing */
            traders: {
                trades: boolean;
                holders: boolean;
                /** @description its rankings, with their windows */
                leaderboard: {
                    [key: string]: components["schemas"]["LeaderboardWindow"][];
                } | null;
                wallet: boolean;
                walletTrades: boolean;
            } | null;
            /** @description whether an account’s open orders can be read by anyone here */
            openOrders: boolean;
            /** @description whether the stream has prices of its pools (subscribePrice) */
            optionPrices: boolean;
            /** @description whether its trades are seen before their block here (filters.status) */
            pendingTrades: boolean;
            /** @description as GET /api/{exchange}/has */
            capabilities: {
                [key: string]: boolean | string;
            };
        };
        VenueMetric: {
            value: number;
            /** @enum {string} */
            unit: "USD" | "USDC" | "CONTRACTS" | "MARKETS" | "TRADERS" | "TRADES";
            /**
             * Format: date
             * @description reporting day, UTC
             */
            date: string;
            /** @enum {string} */
            source: "venue" | "catalog" | "tape";
            /** @enum {string} */
            scope: "venue" | "listed" | "catalog" | "tape";
            /** @description where it was read: the venue’s own path, or ours */
            read: string;
            /** Format: date-time */
            recordedAt: string;
        };
        VenuePrice: {
            venue: string;
            marketId: string;
            outcomeId: string;
            bid: number | null;
            bidSize: number | null;
            ask: number | null;
            askSize: number | null;
            /** @enum {string} */
            state: "live" | "stale" | "none";
            /** Format: date-time */
            asOf: string | null;
        };
        VenueScheduledCancel: {
            venue: string;
            /**
             * Format: date-time
             * @description when the venue cancels; null: no longer
             */
            at: string | null;
            /** @description typed data to be signed, with the action and its nonce */
            unsigned: components["schemas"]["JsonObject"];
            /** @description to be sent by you, with the signature as the member `signatureAt` of the body */
            request: {
                /** @constant */
                method: "POST";
                url: string;
                body: components["schemas"]["JsonObject"];
                signatureAt: string;
            };
        };
        VolumeSources: {
            sources: string[];
            partial: boolean;
        };
        /** @enum {string} */
        WalletCategory: "bot" | "whale" | "smart" | "fresh" | "fish";
        WalletFactors: {
            trackRecord: number | null;
            experience: number | null;
            scale: number | null;
            discipline: number | null;
        };
        WalletStats: {
            walletAgeDays: number | null;
            marketsTraded: number | null;
            totalVolumeUsd: number | null;
            winRate: number | null;
            realizedPnlUsd: number | null;
            /** Format: date-time */
            firstSeen: string | null;
            /** Format: date-time */
            lastSeen: string | null;
            /** Format: date-time */
            depositFirstAt: string | null;
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            event: components["schemas"]["DeliveredEvent"];
            payload: components["schemas"]["JsonObject"];
            /** @enum {string} */
            status: "queued" | "delivered" | "failed";
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            deliveredAt: string | null;
            /** @description made so far, including those before a resend */
            attempts: number;
            /** @description of the last attempt: status, timeout or refusal; null: none yet */
            lastResult: string | null;
            /**
             * Format: date-time
             * @description if queued: when it is due, unless its endpoint is paused; null: it has ended
             */
            nextAttemptAt: string | null;
        };
        WebhookEndpoint: {
            /** Format: uuid */
            id: string;
            /** Format: uri */
            url: string;
            events: components["schemas"]["WebhookEvent"][];
            active: boolean;
            /** Format: date-time */
            createdAt: string;
        };
        /** @enum {string} */
        WebhookEvent: "ingest.run.completed" | "matcher.run.completed" | "execution.status.changed" | "execution.cancel_after.lapsed" | "conditional.triggered" | "conditional.fired" | "conditional.fire_failed" | "conditional.expired";
        WebhookRotated: {
            /** Format: uuid */
            id: string;
            /** Format: uri */
            url: string;
            events: components["schemas"]["WebhookEvent"][];
            active: boolean;
            /** Format: date-time */
            createdAt: string;
            secret: string;
            /** Format: date-time */
            previousSecretExpiresAt: string;
        };
        WebhookTest: {
            /** @constant */
            test: true;
            /** Format: uuid */
            webhookId: string;
            /** Format: date-time */
            occurredAt: string;
        };
        WebhookWithSecret: {
            /** Format: uuid */
            id: string;
            /** Format: uri */
            url: string;
            events: components["schemas"]["WebhookEvent"][];
            active: boolean;
            /** Format: date-time */
            createdAt: string;
            secret: string;
        };
        /**
         * @example {
         *       "outcome": "2000",
         *       "outcomeSide": "YES",
         *       "isBuy": true,
         *       "price": "0.5",
         *       "size": "20",
         *       "owner": "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"
         *     }
         */
        XoBuildBody: {
            dryRun?: boolean;
            /** @constant */
            intent?: "order";
            asset?: components["schemas"]["CatalogId"];
            outcome?: components["schemas"]["CatalogId"];
            /** @enum {string} */
            outcomeSide?: "YES" | "NO";
            isBuy: boolean;
            price: components["schemas"]["Amount"];
            size: components["schemas"]["Amount"];
            owner: string;
            /**
             * @default 3
             * @enum {number}
             */
            signatureType?: 0 | 3;
        };
        XoOrderArtifact: {
            domain: {
                name: string;
                version: string;
                chainId: number;
                verifyingContract: string;
            };
            types: unknown;
            /** @constant */
            primaryType: "Order";
            message: {
                salt: components["schemas"]["Uint256"];
                maker: string;
                signer: string;
                tokenId: components["schemas"]["Uint256"];
                makerAmount: components["schemas"]["Uint256"];
                takerAmount: components["schemas"]["Uint256"];
                /** @enum {number} */
                side: 0 | 1;
                /** @enum {number} */
                signatureType: 0 | 3;
                timestamp: string;
                /** @constant */
                metadata: "0x0000000000000000000000000000000000000000000000000000000000000000";
                /** @constant */
                builder: "0x0000000000000000000000000000000000000000000000000000000000000000";
            };
        };
        GetIndexAnswer: {
            /** @constant */
            success: true;
            data: {
                name: string;
                version: string;
                links: {
                    [key: string]: string;
                };
            };
        };
        GetHealthAnswer: {
            /** @constant */
            success: true;
            data: {
                /** @constant */
                status: "ok";
                time: number;
            };
            /** @constant */
            status: "ok";
            time: number;
            timestamp: number;
        };
        GetReadyAnswer: {
            /** @constant */
            success: true;
            data: {
                /** @constant */
                ready: true;
                parts: {
                    [key: string]: boolean;
                };
                /** @description parts that do not serve now: a gateway stays ready without them */
                degraded: string[];
            };
        };
        GetStatusAnswer: {
            /** @constant */
            success: true;
            data: {
                lab: boolean;
                venues: {
                    venue: string;
                    /** @enum {string} */
                    connection: "connected" | "degraded" | "connecting" | "polling" | "unreachable" | "idle";
                    /** Format: date-time */
                    lastMessageAt: string | null;
                    lagMs: number | null;
                    watchedBooks: number;
                    staleBooks: number;
                    staleReasons: {
                        reason: components["schemas"]["StaleReason"];
                        books: number;
                    }[];
                    sockets: number;
                    reason: string | null;
                    provenWithinMs: number | null;
                    oldestProofMs: number | null;
                    tradesLatencyMs?: number | null;
                    catalog: {
                        /** @enum {string} */
                        state: "ok" | "fieldsLost" | "rowsLost" | "failing" | "unknown";
                        reason: string | null;
                        /** Format: date-time */
                        asOf: string | null;
                    };
                    drift: {
                        field: string;
                        /** @enum {string} */
                        kind: "unreadable" | "mistyped" | "missing" | "unknown";
                        count: number;
                        /** Format: date-time */
                        firstAt: string;
                        /** Format: date-time */
                        lastAt: string;
                    }[];
                    /** Format: date-time */
                    asOf: string | null;
                }[];
                matcher: {
                    /** @enum {string} */
                    state: "ok" | "fieldsLost" | "rowsLost" | "failing" | "unknown";
                    reason: string | null;
                    /** Format: date-time */
                    asOf: string | null;
                };
                dependencies: {
                    [key: string]: boolean;
                };
            };
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
        };
        VenueListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Venue"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
        };
        LoadMarketsAnswer: {
            /** @constant */
            success: true;
            data: {
                [key: string]: components["schemas"]["Market"];
            };
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        MarketListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Market"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        FetchMarketsPaginatedAnswer: {
            /** @constant */
            success: true;
            data: {
                data: components["schemas"]["Market"][];
                total?: number;
                /** @constant */
                totalUnknown?: true;
                nextCursor?: string;
            };
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        MarketAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Market"];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        EventListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Event"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        FetchEventsPaginatedAnswer: {
            /** @constant */
            success: true;
            data: {
                data: components["schemas"]["Event"][];
                total?: number;
                /** @constant */
                totalUnknown?: true;
                nextCursor?: string;
            };
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        EventAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Event"];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        SeriesListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Series"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        FetchOrderBookAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["OrderBook"] | components["schemas"]["OrderBook"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        FetchOrderBooksAnswer: {
            /** @constant */
            success: true;
            data: {
                [key: string]: components["schemas"]["OrderBook"];
            };
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        TradeListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Trade"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        CandleListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Candle"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        MatchListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Match"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        FetchEventMatchesAnswer: {
            /** @constant */
            success: true;
            data: {
                event: components["schemas"]["Event"];
                sourceEvent?: components["schemas"]["Event"];
                marketMatches: components["schemas"]["Match"][];
            }[];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        MatchedPairListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["MatchedPair"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        ArbitrageReadRowListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["ArbitrageReadRow"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        GetExecutionPriceAnswer: {
            /** @constant */
            success: true;
            data: number | null;
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        GetExecutionPriceDetailedAnswer: {
            /** @constant */
            success: true;
            data: {
                price: number | null;
                filledAmount: number;
                fullyFilled: boolean;
                partialPrice: number | null;
                reason: ("EMPTY_SIDE" | "INSUFFICIENT_DEPTH") | null;
            };
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        FilterMarketsAnswer: {
            /** @constant */
            success: true;
            data: {
                [key: string]: unknown;
            }[];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        FilterEventsAnswer: {
            /** @constant */
            success: true;
            data: {
                [key: string]: unknown;
            }[];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        HasAnswer: {
            /** @constant */
            success: true;
            data: {
                [key: string]: boolean | string;
            };
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        CloseAnswer: {
            /** @constant */
            success: true;
            data: null;
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
            meta?: components["schemas"]["ListMeta"];
        };
        ListFeedsAnswer: {
            /** @constant */
            success: true;
            data: ("binance" | "chainlink")[];
        };
        LoadFeedMarketsAnswer: {
            /** @constant */
            success: true;
            data: {
                [key: string]: components["schemas"]["FeedMarket"];
            };
        };
        FeedTickerAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["FeedTicker"];
            /** Format: date-time */
            asOf: string | null;
            provenance?: components["schemas"]["FeedProvenance"];
        };
        FetchFeedTickersAnswer: {
            /** @constant */
            success: true;
            data: {
                [key: string]: components["schemas"]["FeedTicker"];
            };
            /** Format: date-time */
            asOf: string | null;
            provenance?: components["schemas"]["FeedProvenance"];
        };
        OracleRoundAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["OracleRound"];
            /** Format: date-time */
            asOf: string | null;
            provenance?: components["schemas"]["FeedProvenance"];
        };
        OracleRoundListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["OracleRound"][];
            /** Format: date-time */
            asOf: string | null;
            provenance?: components["schemas"]["FeedProvenance"];
            meta: {
                /** Format: date-time */
                asOf: string | null;
                provenance?: components["schemas"]["FeedProvenance"];
            };
        };
        GetHistoryCoverageAnswer: {
            /** @constant */
            success: true;
            data: {
                venue: string;
                /** @description as requested; in a list, the tape’s name for it */
                outcomeId: string;
                /** @description null: the catalog cannot name it */
                market: {
                    marketId: string;
                    title: string;
                    outcome: string;
                } | null;
                /** @enum {string} */
                mechanism: "ws-lossless" | "ws-top20" | "rest-adaptive" | "rest-top-of-book" | "synthetic-spot";
                effectiveIntervalMs: number | null;
                /** Format: date-time */
                tapeSince: string;
                /**
                 * Format: date-time
                 * @description null: never taped
                 */
                tradesSince: string | null;
                /**
                 * Format: date-time
                 * @description null: never taped
                 */
                depthSince: string | null;
                /**
                 * Format: date-time
                 * @description up to when its trades were read
                 */
                tradesUntil: string | null;
                /**
                 * Format: date-time
                 * @description its books are complete up to here, except for gaps; null: no writer has reported
                 */
                completeUntil: string | null;
                /** @description gaps that touch the window, oldest first */
                gaps: {
                    /**
                     * @description gap: rows may be missing (broken feed, loss, retention); closed: not watched
                     * @enum {string}
                     */
                    kind: "gap" | "closed";
                    /**
                     * Format: date-time
                     * @description null: unknown; after a process ended without notice, up to when its rows are known to be written
                     */
                    from: string | null;
                    /**
                     * Format: date-time
                     * @description null: it lasts
                     */
                    to: string | null;
                    reason: string | null;
                }[];
                /** @description there are older gaps: at most 1000 are returned */
                gapsTruncated: boolean;
            }[];
            /** Format: date-time */
            asOf: string;
            meta: {
                /** Format: date-time */
                completeUntil: string | null;
                /** Format: date-time */
                since: string;
                /** Format: date-time */
                until: string;
                nextCursor?: string;
            };
            nextCursor?: string;
        };
        ListHistoryFilesAnswer: {
            /** @constant */
            success: true;
            data: {
                /**
                 * Format: date
                 * @description UTC, by event time of the rows; for l2, by receive time
                 */
                date: string;
                venue: string;
                /** @enum {string} */
                kind: "tob" | "trades" | "l2";
                rows: number;
                /** @description bytes */
                size: number;
                sha256: string;
                /** Format: date-time */
                madeAt: string;
                /** @description path of the download */
                url: string;
            }[];
            meta: {
                nextCursor?: string;
            };
            nextCursor?: string;
        };
        StructureListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Structure"][];
            /** Format: date-time */
            asOf: string | null;
            meta: {
                sets: number;
                markets: number;
                searched: number;
                complete: boolean;
                overLimit: number;
                refusedSets: {
                    [key: string]: number;
                };
                refusedMarkets: {
                    [key: string]: number;
                };
            };
            page: components["schemas"]["Page"];
            nextCursor: string | null;
        };
        AccountAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Account"];
        };
        UsageAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Usage"];
        };
        AccountKeyListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["AccountKey"][];
            meta: {
                /** Format: uuid */
                nextCursor: string | null;
            };
        };
        GetHyperliquidFundingStepsAnswer: {
            /** @constant */
            success: true;
            data: {
                /** @constant */
                venue: "hyperliquid";
                owner: string;
                /** @constant */
                ledger: "spot";
                token: string;
                total: string;
                hold: string;
                /** @description total minus hold */
                spendable: string;
                /** @description something can be spent */
                ready: boolean;
                /** @description always empty: nothing has to be moved */
                steps: unknown[];
            };
        };
        LaneListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Lane"][];
        };
        ExecutionListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Execution"][];
            nextCursor?: string;
        };
        ExecutionAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Execution"];
        };
        FillListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Fill"][];
            nextCursor?: string;
        };
        OrderOverviewListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["OrderOverview"][];
            nextCursor?: string;
        };
        UnresolvedOrderListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["UnresolvedOrder"][];
            nextCursor?: string;
        };
        BuildExecutionAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Execution"];
            /** @constant */
            dryRun?: true;
            warnings?: string[];
        };
        ReplacementAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Replacement"];
            warnings?: string[];
        };
        CreateReservationAnswer: {
            /** @constant */
            success: true;
            data: {
                /** Format: uuid */
                reservationId: string;
                /** Format: uuid */
                executionId: string;
                /** Format: date-time */
                expiresAt: string;
            };
        };
        DeleteReservationAnswer: {
            /** @constant */
            success: true;
            data: null;
        };
        HaltTradingAnswer: {
            /** @constant */
            success: true;
            data: {
                changed: boolean;
                halts: components["schemas"]["Halt"][];
            };
        };
        ResumeTradingAnswer: {
            /** @constant */
            success: true;
            data: {
                changed: boolean;
                halts: components["schemas"]["Halt"][];
            };
        };
        HaltListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Halt"][];
        };
        BuiltItemListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["BuiltItem"][];
            /** @constant */
            dryRun?: true;
        };
        SubmittedItemListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["SubmittedItem"][];
        };
        CancelAllAnswer: {
            /** @constant */
            success: true;
            data: {
                /** @description newest first; orders of which the venue has acknowledged a cancel last */
                orders: components["schemas"]["OrderCancel"][];
                /** @description newest first; they are canceled */
                conditionals: components["schemas"]["ConditionalCancel"][];
                /** @description further orders in flight in the same scope of which the venue has not acknowledged a cancel */
                remaining: number;
                /** @description further armed conditional orders in the same scope; null: not requested */
                conditionalsRemaining: number | null;
            };
        };
        CancelAfterAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["CancelAfter"];
        };
        VenueScheduledCancelAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["VenueScheduledCancel"];
        };
        ConditionalOrderAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["ConditionalOrder"];
        };
        ConditionalOrderListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["ConditionalOrder"][];
            meta: {
                /** Format: uuid */
                nextCursor: string | null;
            };
        };
        BracketAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Bracket"];
        };
        ExecutionAlgorithmAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["ExecutionAlgorithm"];
        };
        ExecutionAlgorithmListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["ExecutionAlgorithm"][];
            meta: {
                /** Format: uuid */
                nextCursor: string | null;
            };
        };
        RouterGroupAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["RouterGroup"];
        };
        RouterGroupListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["RouterGroup"][];
            nextCursor?: string;
        };
        WebhookWithSecretAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["WebhookWithSecret"];
        };
        WebhookEndpointListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["WebhookEndpoint"][];
        };
        WebhookEndpointAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["WebhookEndpoint"];
        };
        DeleteWebhookAnswer: {
            /** @constant */
            success: true;
            data: null;
        };
        WebhookRotatedAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["WebhookRotated"];
        };
        WebhookDeliveryAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["WebhookDelivery"];
        };
        WebhookDeliveryListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["WebhookDelivery"][];
            nextCursor?: string;
        };
        SmartMoneyTradeListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["SmartMoneyTrade"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["TraderProvenance"];
            cached?: boolean;
            notes: string[];
            nextCursor?: string;
        };
        TraderScoreListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["TraderScore"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["TraderProvenance"];
            cached?: boolean;
            notes: string[];
        };
        GetTraderLeaderboardAnswer: {
            /** @constant */
            success: true;
            data: (components["schemas"]["NativeLeader"] | components["schemas"]["TraderScore"])[];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["TraderProvenance"];
            cached?: boolean;
            notes: string[];
        };
        TraderTradeListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["TraderTrade"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["TraderProvenance"];
            cached?: boolean;
            notes: string[];
            nextCursor?: string;
        };
        TraderHolderListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["TraderHolder"][];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["TraderProvenance"];
            cached?: boolean;
            notes: string[];
        };
        TraderScoreAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["TraderScore"];
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["TraderProvenance"];
            cached?: boolean;
            notes: string[];
        };
        OpenOrderListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["OpenOrder"][];
            meta: components["schemas"]["OpenOrdersMeta"];
            nextCursor?: string;
        };
        GetVenueMetricsAnswer: {
            /** @constant */
            success: true;
            data: {
                [key: string]: {
                    [key: string]: components["schemas"]["VenueMetric"];
                };
            };
            /** Format: date-time */
            asOf: string | null;
            provenance: components["schemas"]["Provenance"];
        };
        BridgeOptionListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["BridgeOption"][];
            meta: components["schemas"]["BridgeMeta"];
        };
        BridgeSessionAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["BridgeSession"];
            meta: components["schemas"]["BridgeMeta"];
        };
        BridgePaymentTakenAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["BridgePaymentTaken"];
            meta: components["schemas"]["BridgeMeta"];
        };
        FixtureListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Fixture"][];
            meta: components["schemas"]["SportsMeta"];
            page: components["schemas"]["Page"];
            nextCursor: string | null;
        };
        FixtureDetailAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["FixtureDetail"];
            meta: components["schemas"]["SportsMeta"];
        };
        ComparisonAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Comparison"];
            meta: components["schemas"]["SportsMeta"];
        };
        FacetsAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Facets"];
            meta: components["schemas"]["SportsMeta"];
        };
        OpenTemplatePairListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["OpenTemplatePair"][];
            meta: {
                /** @description Pairs that need a decision, returned or not */
                open: number;
            };
        };
        TemplatePairAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["TemplatePair"];
        };
        RecordedDecisionAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["RecordedDecision"];
        };
        TemplateDecisionListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["TemplateDecision"][];
            meta: {
                nextBefore: string | null;
            };
        };
        ImportedDecisionsAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["ImportedDecisions"];
        };
        PriceDifferenceListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["PriceDifference"][];
            nextCursor?: string;
        };
        PairOverrideAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["PairOverride"];
        };
        PortfolioPositionListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["PortfolioPosition"][];
            /** Format: date-time */
            asOf: string;
            provenance: components["schemas"]["PortfolioProvenance"];
            /** @description sources that did not answer: `catalog`, `books:<venue>`; values that depend on them are null */
            unavailable: string[];
            gaps: components["schemas"]["PortfolioGaps"];
            nextCursor?: string;
        };
        PortfolioSummaryAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["PortfolioSummary"];
            /** Format: date-time */
            asOf: string;
            provenance: components["schemas"]["PortfolioProvenance"];
            /** @description sources that did not answer: `catalog`, `books:<venue>`; values that depend on them are null */
            unavailable: string[];
            gaps: components["schemas"]["PortfolioGaps"];
        };
        PortfolioFillListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["PortfolioFill"][];
            /** Format: date-time */
            asOf: string;
            provenance: components["schemas"]["PortfolioProvenance"];
            /** @description sources that did not answer: `catalog`, `books:<venue>`; values that depend on them are null */
            unavailable: string[];
            gaps: components["schemas"]["PortfolioGaps"];
            nextCursor?: string;
        };
        PortfolioPeriodListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["PortfolioPeriod"][];
            /** Format: date-time */
            asOf: string;
            provenance: components["schemas"]["PortfolioProvenance"];
            /** @description sources that did not answer: `catalog`, `books:<venue>`; values that depend on them are null */
            unavailable: string[];
            gaps: components["schemas"]["PortfolioGaps"];
        };
        PortfolioStatementAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["PortfolioStatement"];
            /** Format: date-time */
            asOf: string;
            provenance: components["schemas"]["PortfolioProvenance"];
            /** @description sources that did not answer: `catalog`, `books:<venue>`; values that depend on them are null */
            unavailable: string[];
            gaps: components["schemas"]["PortfolioGaps"];
        };
        PortfolioImportAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["PortfolioImport"];
            /** Format: date-time */
            asOf: string;
            provenance: {
                /** @constant */
                source: "import";
                /**
                 * @description true: simulated venues
                 * @constant
                 */
                lab?: true;
            };
        };
        PortfolioImportListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["PortfolioImport"][];
            /** Format: date-time */
            asOf: string;
            provenance: {
                /** @constant */
                source: "import";
                /**
                 * @description true: simulated venues
                 * @constant
                 */
                lab?: true;
            };
            nextCursor?: string;
        };
        ReconciledVenueListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["ReconciledVenue"][];
            /** Format: date-time */
            asOf: string;
            provenance: components["schemas"]["PortfolioProvenance"];
            /** @description sources that did not answer: `catalog`, `books:<venue>`; values that depend on them are null */
            unavailable: string[];
            gaps: components["schemas"]["PortfolioGaps"];
            /** @description venues whose accounts cannot be read here, and why */
            unsupported: components["schemas"]["ReconciliationGap"][];
            /** @description venues that were requested, or have positions, and for which the request names no account */
            accountNeeded: components["schemas"]["ReconciliationGap"][];
        };
        RedeemableListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["Redeemable"][];
            /** Format: date-time */
            asOf: string;
            provenance: components["schemas"]["PortfolioProvenance"];
            /** @description sources that did not answer: `catalog`, `accounts:<venue>`; shares that only they know are missing */
            unavailable: string[];
            gaps: components["schemas"]["PortfolioGaps"];
            /** @description venues that were read, and did not list every position */
            incomplete: string[];
            nextCursor?: string;
        };
        ExposureRowListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["ExposureRow"][];
            /** Format: date-time */
            asOf: string;
            provenance: components["schemas"]["PortfolioProvenance"];
            /** @description sources that did not answer: without `matches` each market is a group, without `catalog` no payout is known */
            unavailable: ("catalog" | "matches")[];
            gaps: components["schemas"]["PortfolioGaps"];
            meta: components["schemas"]["ExposureMeta"];
            nextCursor?: string;
        };
        RiskLimitUseListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["RiskLimitUse"][];
        };
        StoredRiskLimitListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["StoredRiskLimit"][];
        };
        StoredRiskLimitAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["StoredRiskLimit"];
        };
        RemoveRiskLimitAnswer: {
            /** @constant */
            success: true;
            data: null;
        };
        PaperAccountAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["PaperAccount"];
        };
        PaperOrderListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["PaperOrder"][];
            nextCursor?: string;
        };
        PaperOrderAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["PaperOrder"];
        };
        PaperFillListAnswer: {
            /** @constant */
            success: true;
            data: components["schemas"]["PaperFill"][];
            nextCursor?: string;
        };
        /** @enum {string} */
        ErrorCode: "VALIDATION_ERROR" | "NOT_SUPPORTED" | "ACCOUNTS_UNSUPPORTED" | "VENUE_NOT_AVAILABLE" | "EXCHANGE_NOT_AVAILABLE" | "MARKET_NOT_FOUND" | "EVENT_NOT_FOUND" | "TRADERS_UNSUPPORTED" | "TRADER_NOT_FOUND" | "CLUSTER_NOT_FOUND" | "OUTCOME_NOT_FOUND" | "SNAPSHOT_NOT_FOUND" | "CATALOG_UNAVAILABLE" | "CATALOG_QUERY_TOO_BROAD" | "HISTORY_UNAVAILABLE" | "SPORTS_SCREEN_UNAVAILABLE" | "SPORTS_FIXTURE_NOT_FOUND" | "SPORTS_BLOCK_NOT_FOUND" | "ROUTE_NOT_FOUND" | "INTERNAL" | "AUTHENTICATION_ERROR" | "PERMISSION_DENIED" | "RATE_LIMIT_EXCEEDED" | "NETWORK_ERROR" | "NOT_FOUND" | "BAD_REQUEST" | "BRIDGE_UNSUPPORTED" | "BRIDGE_NO_ROUTE" | "BRIDGE_UPSTREAM" | "BRIDGE_PROVIDER_UNAVAILABLE" | "BRIDGE_TRANSACTION_NOT_FOUND" | "BRIDGE_SESSION_NOT_FOUND" | "TRANSFER_PLAN_UNSUPPORTED" | "UNAUTHORIZED" | "SCOPE_MISSING" | "PLAN_REQUIRED" | "INSUFFICIENT_CREDITS" | "RATE_LIMITED" | "GEO_BLOCKED" | "VENUE_REGION_BLOCKED" | "IDEMPOTENCY_KEY_REQUIRED" | "RESERVED_IDEMPOTENCY_KEY" | "IDEMPOTENCY_CONFLICT" | "ARTIFACT_VERSION_CONFLICT" | "SPEND_CAP_EXCEEDED" | "RESERVATION_REQUIRED" | "RESERVATION_CONSUMED" | "RESERVATION_MISMATCH" | "RESERVATION_EXPIRED" | "RESERVATION_RELEASED" | "ARTIFACT_BOUNDS_VIOLATION" | "ARTIFACT_INTEGRITY_MISMATCH" | "CLAIM_GENERATION_UNDETERMINED" | "VENUE_NOT_SUPPORTED" | "EXECUTION_NOT_FOUND" | "EXECUTION_TERMINAL" | "CONDITIONAL_NOT_FOUND" | "CONDITIONAL_NOT_ARMED" | "CONDITIONAL_ATTEMPT_CONFLICT" | "CONDITIONAL_ARMED" | "CONDITIONAL_CLOSED_NOT_SUBMITTED" | "OCO_GROUP_CLOSED" | "HOSTED_FIRE_NOT_ELIGIBLE" | "HOSTED_FIRE_UNAVAILABLE" | "NOT_IMPLEMENTED" | "VENUE_CREDENTIAL_REJECTED" | "VENUE_CREDENTIAL_BREAKER_OPEN" | "GEMINI_TIME_NONCE_REQUIRED" | "GEMINI_HEARTBEAT_KEY_UNSUPPORTED" | "VENUE_RELAY_FAILED" | "EXEC_UNAVAILABLE" | "RAIN_INVALID_OPTION" | "RAIN_INVALID_SIDE" | "RAIN_INVALID_PRICE" | "RAIN_INVALID_AMOUNT" | "RAIN_SLIPPAGE_REQUIRED" | "RAIN_INVALID_DEADLINE" | "RAIN_PHASE_NOT_OPEN" | "RAIN_ORDER_LIMIT_REACHED" | "RAIN_POOL_SAFETY_CHECK_FAILED" | "PLATFORM_UNAVAILABLE" | "PACK_NOT_FOUND" | "BILLING_UNAVAILABLE" | "BILLING_CUSTOMER_REQUIRED" | "PLAN_NOT_FOUND" | "SUBSCRIPTION_EXISTS" | "WEBHOOK_NOT_FOUND" | "INVALID_SIGNATURE" | "PAPER_INSUFFICIENT_CASH" | "PAPER_POSITION_TOO_SMALL" | "PAPER_MARKET_CLOSED" | "PAPER_WORKING_ORDER_CAP" | "PAPER_NO_LIVE_BOOK" | "PAPER_ORDER_NOT_FOUND" | "PAPER_ORDER_NOT_OPEN" | "SQL_QUERY_FAILED" | "SQL_TIMEOUT" | "FEED_NOT_FOUND" | "FEEDS_UNAVAILABLE" | "FEED_UPSTREAM" | "MATCHES_UNAVAILABLE" | "ARBITRAGE_UNAVAILABLE";
        Error: {
            /** @constant */
            success: false;
            error: components["schemas"]["ErrorDetail"];
        };
        ErrorDetail: {
            message: string;
            code: components["schemas"]["ErrorCode"];
            /** @description The same call may succeed later */
            retryable: boolean;
            requestId: string;
            /** @description Only when a venue error is attributed to one exchange */
            exchange?: string;
            /** @description Whole seconds, as the Retry-After header */
            retryAfter?: number;
        };
    };
    responses: {
        /** @description ARBITRAGE_UNAVAILABLE, CATALOG_UNAVAILABLE, PLATFORM_UNAVAILABLE */
        ArbitrageUnavailableOrCatalogUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description OK */
        ArmConditional200: {
            headers: {
                "Idempotency-Replay": components["headers"]["Idempotency-Replay"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConditionalOrderAnswer"];
            };
        };
        /** @description ARTIFACT_BOUNDS_VIOLATION, BAD_REQUEST, HOSTED_FIRE_NOT_ELIGIBLE, IDEMPOTENCY_KEY_REQUIRED, INVALID_SIGNATURE, RESERVED_IDEMPOTENCY_KEY, VALIDATION_ERROR */
        ArmConditional400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description ARTIFACT_BOUNDS_VIOLATION, BAD_REQUEST, IDEMPOTENCY_KEY_REQUIRED, RESERVED_IDEMPOTENCY_KEY, VALIDATION_ERROR */
        ArtifactBoundsViolationOrIdempotencyKeyRequiredOrReservedIdempotencyKey: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description BRIDGE_PROVIDER_UNAVAILABLE, PLATFORM_UNAVAILABLE */
        BridgeProviderUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description BAD_REQUEST, BRIDGE_UNSUPPORTED, VALIDATION_ERROR */
        BridgeUnsupported: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description BRIDGE_UPSTREAM */
        BridgeUpstream: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description CATALOG_UNAVAILABLE, EXEC_UNAVAILABLE, NETWORK_ERROR, PAPER_NO_LIVE_BOOK, PLATFORM_UNAVAILABLE */
        BuildExecution503: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description BAD_REQUEST, CATALOG_QUERY_TOO_BROAD, VALIDATION_ERROR */
        CatalogQueryTooBroad: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description CATALOG_UNAVAILABLE, PLATFORM_UNAVAILABLE */
        CatalogUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description CATALOG_UNAVAILABLE, EXEC_UNAVAILABLE, MATCHES_UNAVAILABLE, PLATFORM_UNAVAILABLE */
        CatalogUnavailableOrExecUnavailableOrMatchesUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description CATALOG_UNAVAILABLE, HISTORY_UNAVAILABLE, PLATFORM_UNAVAILABLE */
        CatalogUnavailableOrHistoryUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description CATALOG_UNAVAILABLE, HISTORY_UNAVAILABLE, NETWORK_ERROR, PLATFORM_UNAVAILABLE */
        CatalogUnavailableOrHistoryUnavailableOrNetworkError: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description CATALOG_UNAVAILABLE, MATCHES_UNAVAILABLE, PLATFORM_UNAVAILABLE */
        CatalogUnavailableOrMatchesUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description CATALOG_UNAVAILABLE, NETWORK_ERROR, PLATFORM_UNAVAILABLE */
        CatalogUnavailableOrNetworkError: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description OK */
        Close200: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CloseAnswer"];
            };
        };
        /** @description CLUSTER_NOT_FOUND, EXCHANGE_NOT_AVAILABLE, MARKET_NOT_FOUND */
        ClusterNotFoundOrExchangeNotAvailableOrMarketNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description CONDITIONAL_NOT_FOUND, ROUTE_NOT_FOUND */
        ConditionalNotFoundOrRouteNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description EVENT_NOT_FOUND, EXCHANGE_NOT_AVAILABLE */
        EventNotFoundOrExchangeNotAvailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description EXCHANGE_NOT_AVAILABLE */
        ExchangeNotAvailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description EXCHANGE_NOT_AVAILABLE, EXECUTION_NOT_FOUND, VENUE_NOT_SUPPORTED */
        ExchangeNotAvailableOrExecutionNotFoundOrVenueNotSupported: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description EXCHANGE_NOT_AVAILABLE, MARKET_NOT_FOUND */
        ExchangeNotAvailableOrMarketNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description EXCHANGE_NOT_AVAILABLE, OUTCOME_NOT_FOUND */
        ExchangeNotAvailableOrOutcomeNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description EXCHANGE_NOT_AVAILABLE, ROUTE_NOT_FOUND */
        ExchangeNotAvailableOrRouteNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description EXCHANGE_NOT_AVAILABLE, VENUE_NOT_SUPPORTED */
        ExchangeNotAvailableOrVenueNotSupported: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description EXEC_UNAVAILABLE, PLATFORM_UNAVAILABLE */
        ExecUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description EXEC_UNAVAILABLE, NETWORK_ERROR, PLATFORM_UNAVAILABLE */
        ExecUnavailableOrNetworkError: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description FEED_NOT_FOUND */
        FeedNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description FEED_UPSTREAM */
        FeedUpstream: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description FEEDS_UNAVAILABLE, PLATFORM_UNAVAILABLE */
        FeedsUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description OK */
        FetchArbitrage200: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ArbitrageReadRowListAnswer"];
            };
        };
        /** @description OK */
        FetchMarketMatches200: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MatchListAnswer"];
            };
        };
        /** @description OK */
        FetchMatchedMarkets200: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["MatchedPairListAnswer"];
            };
        };
        /** @description OK */
        FetchOHLCV200: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["CandleListAnswer"];
            };
        };
        /** @description CLUSTER_NOT_FOUND, EXCHANGE_NOT_AVAILABLE, MARKET_NOT_FOUND, OUTCOME_NOT_FOUND, SNAPSHOT_NOT_FOUND */
        FetchOrderBook404: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description OK */
        FetchSeries200: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["SeriesListAnswer"];
            };
        };
        /** @description OK */
        GetAlgorithm200: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ExecutionAlgorithmAnswer"];
            };
        };
        /** @description OK */
        GetBracket200: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["BracketAnswer"];
            };
        };
        /** @description OK */
        GetExecution200: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ExecutionAnswer"];
            };
        };
        /** @description BAD_REQUEST, VALIDATION_ERROR */
        GetIndex400: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description OK */
        Has200: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["HasAnswer"];
            };
        };
        /** @description HISTORY_UNAVAILABLE, PLATFORM_UNAVAILABLE */
        HistoryUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description HISTORY_UNAVAILABLE, MATCHES_UNAVAILABLE, NETWORK_ERROR, PLATFORM_UNAVAILABLE */
        HistoryUnavailableOrMatchesUnavailableOrNetworkError: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description HISTORY_UNAVAILABLE, NETWORK_ERROR, PLATFORM_UNAVAILABLE */
        HistoryUnavailableOrNetworkError: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description IDEMPOTENCY_CONFLICT */
        IdempotencyConflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description BAD_REQUEST, IDEMPOTENCY_KEY_REQUIRED, RESERVED_IDEMPOTENCY_KEY, VALIDATION_ERROR */
        IdempotencyKeyRequiredOrReservedIdempotencyKey: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description 400 BAD_REQUEST, VALIDATION_ERROR; 401 UNAUTHORIZED; 403 SCOPE_MISSING; 413 VALIDATION_ERROR; 429 RATE_LIMITED; 451 GEO_BLOCKED; 500 INTERNAL; 503 PLATFORM_UNAVAILABLE */
        Keyed: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description OK */
        ListFixtures200: {
            headers: {
                ETag: components["headers"]["ETag"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["FixtureListAnswer"];
            };
        };
        /** @description OK */
        LoadMarkets200: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["LoadMarketsAnswer"];
            };
        };
        /** @description MATCHES_UNAVAILABLE, PLATFORM_UNAVAILABLE */
        MatchesUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description 400 BAD_REQUEST, VALIDATION_ERROR; 401 UNAUTHORIZED; 402 INSUFFICIENT_CREDITS; 403 SCOPE_MISSING; 413 VALIDATION_ERROR; 429 RATE_LIMITED; 451 GEO_BLOCKED; 500 INTERNAL; 503 PLATFORM_UNAVAILABLE */
        Metered: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "X-Credits-Charged": components["headers"]["X-Credits-Charged"];
                "X-Credits-Balance": components["headers"]["X-Credits-Balance"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description ARTIFACT_INTEGRITY_MISMATCH, ARTIFACT_VERSION_CONFLICT, CLAIM_GENERATION_UNDETERMINED, CONDITIONAL_ARMED, CONDITIONAL_ATTEMPT_CONFLICT, EXECUTION_TERMINAL, IDEMPOTENCY_CONFLICT */
        ModifyExecution409: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description NETWORK_ERROR, PLATFORM_UNAVAILABLE */
        NetworkError: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description NOT_FOUND */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description NOT_IMPLEMENTED */
        NotImplemented: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description NOT_IMPLEMENTED, NOT_SUPPORTED */
        NotImplementedOrNotSupported: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Unchanged since the response with that tag */
        NotModified: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description NOT_SUPPORTED */
        NotSupported: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description Accepted. Anything else, including a redirect, is retried after 1 m, 5 m, 30 m and 2 h */
        OnIngestRunCompleted2XX: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description PERMISSION_DENIED, SCOPE_MISSING */
        PermissionDenied: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description PLAN_REQUIRED, SCOPE_MISSING */
        PlanRequired: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description 400 BAD_REQUEST, VALIDATION_ERROR; 413 VALIDATION_ERROR; 500 INTERNAL */
        Public: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description ROUTE_NOT_FOUND */
        RouteNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description ROUTE_NOT_FOUND, WEBHOOK_NOT_FOUND */
        RouteNotFoundOrWebhookNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description ARBITRAGE_UNAVAILABLE, CATALOG_UNAVAILABLE, EXEC_UNAVAILABLE, MATCHES_UNAVAILABLE, PLATFORM_UNAVAILABLE */
        RouterArbitrage503: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description OK */
        RouterPlan200: {
            headers: {
                "Idempotency-Replay": components["headers"]["Idempotency-Replay"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RouterGroupAnswer"];
            };
        };
        /** @description INSUFFICIENT_CREDITS, SPEND_CAP_EXCEEDED */
        SpendCapExceeded: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description PLATFORM_UNAVAILABLE, SPORTS_SCREEN_UNAVAILABLE */
        SportsScreenUnavailable: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description OK */
        SubmitExecution200: {
            headers: {
                "Idempotency-Replay": components["headers"]["Idempotency-Replay"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ExecutionAnswer"];
            };
        };
        /** @description OK */
        TestWebhook200: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["WebhookDeliveryAnswer"];
            };
        };
        /** @description BAD_REQUEST, TRADERS_UNSUPPORTED, VALIDATION_ERROR */
        TradersUnsupported: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description RATE_LIMITED, VENUE_CREDENTIAL_BREAKER_OPEN */
        VenueCredentialBreakerOpen: {
            headers: {
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description UNAUTHORIZED, VENUE_CREDENTIAL_REJECTED */
        VenueCredentialRejected: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** @description GEO_BLOCKED, VENUE_REGION_BLOCKED */
        VenueRegionBlocked: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
    };
    parameters: {
        /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
        IdempotencyKey: string;
        /** @description The ETag of an earlier response to the same request */
        IfNoneMatch: string;
        /** @description The same id, for Standard Webhooks */
        WebhookId: string;
        /** @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed by the decoded base64 after `whsec_`. Several, separated by spaces, for 24 hours after a rotation */
        WebhookSignature: string;
        /** @description The same timestamp */
        WebhookTimestamp: string;
        /** @description Id of the delivery, the same at every attempt */
        XServiceDelivery: string;
        /** @description Name of the event */
        XServiceEvent: string;
        /** @description Lower-case hex HMAC-SHA256 over `<timestamp>.<raw body>`, keyed by the UTF-8 bytes of the whole secret */
        XServiceSignature: string;
        /** @description Unix seconds when signed; each attempt is signed again */
        XServiceTimestamp: string;
        addr: string;
        amount: number;
        category: string;
        clusterId: string;
        competition: string;
        cursor: string;
        cursorOfFetchMarkets: string;
        /** @description opaque, from nextCursor */
        cursorOfGetHistoryCoverage: string;
        /** @example 2026-11-22T12:00:00Z */
        end: components["schemas"]["Time"];
        eventId: string;
        /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
        exchange: string;
        exchangeOfFetchMarkets: string;
        /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
        executionId: string;
        /** @description A reference feed: binance or chainlink */
        feed: string;
        filter: string | components["schemas"]["MarketCriteria"];
        filterOfFetchEvents: string | components["schemas"]["EventCriteria"];
        /** @example json */
        format: "json" | "csv" | "parquet";
        /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
        id: string;
        idOfUpdateWebhook: string;
        includePrices: boolean;
        key: string;
        limit: number;
        limitOfFetchMarketMatches: number;
        limitOfFetchMarkets: number;
        limitOfGetHistoryCoverage: number;
        line: number;
        market: string | ({
            marketId: string;
        } & {
            [key: string]: unknown;
        });
        marketId: string;
        marketType: string;
        minConfidence: number;
        minDifference: number;
        offset: number;
        /** @example oldest */
        order: "oldest" | "newest";
        orderBook: {
            /** @description {price, size} with price in [0,1] and size ≥ 0 */
            bids: unknown[];
            /** @description {price, size} with price in [0,1] and size ≥ 0 */
            asks: unknown[];
        } & {
            [key: string]: unknown;
        };
        outcomeId: string;
        outcomeIdOfFetchOrderBook: string;
        page: number;
        period: string;
        query: string;
        /** @example identity,complement */
        relation: components["schemas"]["MatchRelations"];
        /** @example identity,complement */
        relations: components["schemas"]["MatchRelations"];
        /** @example title */
        searchIn: "title" | "description" | "both";
        series: string;
        /** @example buy */
        side: "buy" | "sell";
        similarityThreshold: number;
        /** @example 2026-11-22T12:00:00Z */
        since: string;
        slot: string;
        slug: string;
        /** @example volume */
        sort: "volume" | "liquidity" | "newest";
        /** @example confidence */
        sortOfFetchMarketMatches: "confidence" | "volume" | "priceDifference";
        sourceExchange: string;
        sport: string;
        /** @example 2026-11-22T12:00:00Z */
        start: components["schemas"]["Time"];
        /** @example active */
        status: "active" | "inactive" | "closed" | "resolved" | "all";
        /** @description the pair, such as BTC/USD; required unless the alias is given */
        symbol: string;
        tags: string | string[];
        team: string;
        /**
         * @description inclusive; at most 31 days after since
         * @example 2026-11-22T12:00:00Z
         */
        until: string;
        url: string;
        /** @description The name of a venue, case-insensitive */
        venue: string;
        venueOfFetchArbitrage: string;
        /** @example day */
        window: components["schemas"]["LeaderboardWindow"];
    };
    requestBodies: never;
    headers: {
        /** @description On every response; quote it when you report a problem */
        "X-Request-Id": string;
        /** @description The operation’s cost: x-credits, or one credit for every x-rows-per-credit rows of the response if that is more; with x-credits-per-item, x-credits for every item that was done; 0 on an error, a 304 and a response repeated for the same Idempotency-Key */
        "X-Credits-Charged": number;
        /** @description The account’s balance after this call, as far as this gateway knows; absent if unlimited */
        "X-Credits-Balance": number;
        /** @description `true`: an earlier call with this Idempotency-Key returned this */
        "Idempotency-Replay": string;
        /** @description Whole seconds */
        "Retry-After": number;
        /** @description For If-None-Match */
        ETag: string;
    };
    pathItems: never;
}
export type Account = components['schemas']['Account'];
export type AccountKey = components['schemas']['AccountKey'];
export type AlgorithmParameters = components['schemas']['AlgorithmParameters'];
export type AlgorithmParametersInput = components['schemas']['AlgorithmParametersInput'];
export type AlgorithmSlice = components['schemas']['AlgorithmSlice'];
export type AlgorithmSliceOutcome = components['schemas']['AlgorithmSliceOutcome'];
export type AlgorithmSliceStatus = components['schemas']['AlgorithmSliceStatus'];
export type AlgorithmStatus = components['schemas']['AlgorithmStatus'];
export type AlgorithmWait = components['schemas']['AlgorithmWait'];
export type Amount = components['schemas']['Amount'];
export type ArbitrageLeg = components['schemas']['ArbitrageLeg'];
export type ArbitrageLine = components['schemas']['ArbitrageLine'];
export type ArbitrageReadRow = components['schemas']['ArbitrageReadRow'];
export type ArbitrageReplayLine = components['schemas']['ArbitrageReplayLine'];
export type BookLevel = components['schemas']['BookLevel'];
export type Bracket = components['schemas']['Bracket'];
export type BracketStatus = components['schemas']['BracketStatus'];
export type BridgeMeta = components['schemas']['BridgeMeta'];
export type BridgeOption = components['schemas']['BridgeOption'];
export type BridgePaymentTaken = components['schemas']['BridgePaymentTaken'];
export type BridgeSession = components['schemas']['BridgeSession'];
export type BuiltItem = components['schemas']['BuiltItem'];
export type CancelAfter = components['schemas']['CancelAfter'];
export type CancelAfterLapsed = components['schemas']['CancelAfterLapsed'];
export type CancelBody = components['schemas']['CancelBody'];
export type Candle = components['schemas']['Candle'];
export type CandleLine = components['schemas']['CandleLine'];
export type CatalogId = components['schemas']['CatalogId'];
export type CloseArguments = components['schemas']['CloseArguments'];
export type ComparedVenue = components['schemas']['ComparedVenue'];
export type Comparison = components['schemas']['Comparison'];
export type ConditionalCancel = components['schemas']['ConditionalCancel'];
export type ConditionalEvent = components['schemas']['ConditionalEvent'];
export type ConditionalOrder = components['schemas']['ConditionalOrder'];
export type ConditionalStatus = components['schemas']['ConditionalStatus'];
export type ConditionalStatusChanged = components['schemas']['ConditionalStatusChanged'];
export type Coverage = components['schemas']['Coverage'];
export type Credits = components['schemas']['Credits'];
export type CursorLine = components['schemas']['CursorLine'];
export type DeliveredEvent = components['schemas']['DeliveredEvent'];
export type DepthLine = components['schemas']['DepthLine'];
export type Event = components['schemas']['Event'];
export type EventCriteria = components['schemas']['EventCriteria'];
export type Execution = components['schemas']['Execution'];
export type ExecutionAlgorithm = components['schemas']['ExecutionAlgorithm'];
export type ExecutionStatus = components['schemas']['ExecutionStatus'];
export type ExecutionStatusChanged = components['schemas']['ExecutionStatusChanged'];
export type ExecutionSummary = components['schemas']['ExecutionSummary'];
export type ExposureBound = components['schemas']['ExposureBound'];
export type ExposureGroup = components['schemas']['ExposureGroup'];
export type ExposureMeta = components['schemas']['ExposureMeta'];
export type ExposureMinorRelations = components['schemas']['ExposureMinorRelations'];
export type ExposureNotCovered = components['schemas']['ExposureNotCovered'];
export type ExposureOutcome = components['schemas']['ExposureOutcome'];
export type ExposurePart = components['schemas']['ExposurePart'];
export type ExposurePosition = components['schemas']['ExposurePosition'];
export type ExposureRelation = components['schemas']['ExposureRelation'];
export type ExposureRow = components['schemas']['ExposureRow'];
export type ExposureView = components['schemas']['ExposureView'];
export type Facets = components['schemas']['Facets'];
export type FeedMarket = components['schemas']['FeedMarket'];
export type FeedProvenance = components['schemas']['FeedProvenance'];
export type FeedTicker = components['schemas']['FeedTicker'];
export type FetchArbitrageArguments = components['schemas']['FetchArbitrageArguments'];
export type FetchEventMatchesArguments = components['schemas']['FetchEventMatchesArguments'];
export type FetchEventsArguments = components['schemas']['FetchEventsArguments'];
export type FetchMarketMatchesArguments = components['schemas']['FetchMarketMatchesArguments'];
export type FetchMarketsArguments = components['schemas']['FetchMarketsArguments'];
export type FetchMatchedMarketsArguments = components['schemas']['FetchMatchedMarketsArguments'];
export type FetchOhlcvArguments = components['schemas']['FetchOHLCVArguments'];
export type FetchOrderBookArguments = components['schemas']['FetchOrderBookArguments'];
export type FetchOrderBooksArguments = components['schemas']['FetchOrderBooksArguments'];
export type FetchSeriesArguments = components['schemas']['FetchSeriesArguments'];
export type FetchTradesArguments = components['schemas']['FetchTradesArguments'];
export type Fill = components['schemas']['Fill'];
export type FilterEventsArguments = components['schemas']['FilterEventsArguments'];
export type FilterMarketsArguments = components['schemas']['FilterMarketsArguments'];
export type FireMode = components['schemas']['FireMode'];
export type Fixture = components['schemas']['Fixture'];
export type FixtureDetail = components['schemas']['FixtureDetail'];
export type FixtureStatus = components['schemas']['FixtureStatus'];
export type GeminiBuildBody = components['schemas']['GeminiBuildBody'];
export type GeminiCancelArtifact = components['schemas']['GeminiCancelArtifact'];
export type GeminiOrderArtifact = components['schemas']['GeminiOrderArtifact'];
export type GeminiRefreshBody = components['schemas']['GeminiRefreshBody'];
export type GeminiSubmitBody = components['schemas']['GeminiSubmitBody'];
export type GetExecutionPriceArguments = components['schemas']['GetExecutionPriceArguments'];
export type Halt = components['schemas']['Halt'];
export type HasArguments = components['schemas']['HasArguments'];
export type Hedge = components['schemas']['Hedge'];
export type HyperliquidBuildBody = components['schemas']['HyperliquidBuildBody'];
export type HyperliquidCancelArtifact = components['schemas']['HyperliquidCancelArtifact'];
export type HyperliquidModifyArtifact = components['schemas']['HyperliquidModifyArtifact'];
export type HyperliquidOrderArtifact = components['schemas']['HyperliquidOrderArtifact'];
export type HyperliquidSubmitBody = components['schemas']['HyperliquidSubmitBody'];
export type ImportedDecisions = components['schemas']['ImportedDecisions'];
export type Intent = components['schemas']['Intent'];
export type ItemError = components['schemas']['ItemError'];
export type JsonObject = components['schemas']['JsonObject'];
export type KalshiBuildBody = components['schemas']['KalshiBuildBody'];
export type KalshiCancelArtifact = components['schemas']['KalshiCancelArtifact'];
export type KalshiModifyArtifact = components['schemas']['KalshiModifyArtifact'];
export type KalshiOrderArtifact = components['schemas']['KalshiOrderArtifact'];
export type KalshiRefreshBody = components['schemas']['KalshiRefreshBody'];
export type KalshiSubmitBody = components['schemas']['KalshiSubmitBody'];
export type KeyUsage = components['schemas']['KeyUsage'];
export type Lane = components['schemas']['Lane'];
export type LapsedCancel = components['schemas']['LapsedCancel'];
export type LeaderboardWindow = components['schemas']['LeaderboardWindow'];
export type LimitlessBuildBody = components['schemas']['LimitlessBuildBody'];
export type LimitlessCancelArtifact = components['schemas']['LimitlessCancelArtifact'];
export type LimitlessMergeArtifact = components['schemas']['LimitlessMergeArtifact'];
export type LimitlessOrderArtifact = components['schemas']['LimitlessOrderArtifact'];
export type LimitlessRedeemArtifact = components['schemas']['LimitlessRedeemArtifact'];
export type LimitlessSplitArtifact = components['schemas']['LimitlessSplitArtifact'];
export type LimitlessSubmitBody = components['schemas']['LimitlessSubmitBody'];
export type ListMeta = components['schemas']['ListMeta'];
export type LoadMarketsArguments = components['schemas']['LoadMarketsArguments'];
export type MarkValues = components['schemas']['MarkValues'];
export type Market = components['schemas']['Market'];
export type MarketCriteria = components['schemas']['MarketCriteria'];
export type MarketDescriptor = components['schemas']['MarketDescriptor'];
export type MarketQuote = components['schemas']['MarketQuote'];
export type MarketReference = components['schemas']['MarketReference'];
export type MarketStatus = components['schemas']['MarketStatus'];
export type Match = components['schemas']['Match'];
export type MatchBand = components['schemas']['MatchBand'];
export type MatchDifference = components['schemas']['MatchDifference'];
export type MatchRelations = components['schemas']['MatchRelations'];
export type MatchedPair = components['schemas']['MatchedPair'];
export type MergeBody = components['schemas']['MergeBody'];
export type ModifyBody = components['schemas']['ModifyBody'];
export type MyriadBuildBody = components['schemas']['MyriadBuildBody'];
export type MyriadCancelArtifact = components['schemas']['MyriadCancelArtifact'];
export type MyriadMergeArtifact = components['schemas']['MyriadMergeArtifact'];
export type MyriadOrder = components['schemas']['MyriadOrder'];
export type MyriadOrderArtifact = components['schemas']['MyriadOrderArtifact'];
export type MyriadRedeemArtifact = components['schemas']['MyriadRedeemArtifact'];
export type MyriadSplitArtifact = components['schemas']['MyriadSplitArtifact'];
export type MyriadSubmitBody = components['schemas']['MyriadSubmitBody'];
export type MyriadTypedOrder = components['schemas']['MyriadTypedOrder'];
export type NativeLeader = components['schemas']['NativeLeader'];
export type NovigBuildBody = components['schemas']['NovigBuildBody'];
export type NovigOrderArtifact = components['schemas']['NovigOrderArtifact'];
export type NovigRefreshBody = components['schemas']['NovigRefreshBody'];
export type NovigSubmitBody = components['schemas']['NovigSubmitBody'];
export type OpenOrder = components['schemas']['OpenOrder'];
export type OpenOrdersMeta = components['schemas']['OpenOrdersMeta'];
export type OpenTemplatePair = components['schemas']['OpenTemplatePair'];
export type OpinionBuildBody = components['schemas']['OpinionBuildBody'];
export type OpinionCancelArtifact = components['schemas']['OpinionCancelArtifact'];
export type OpinionMergeArtifact = components['schemas']['OpinionMergeArtifact'];
export type OpinionOrderArtifact = components['schemas']['OpinionOrderArtifact'];
export type OpinionRedeemArtifact = components['schemas']['OpinionRedeemArtifact'];
export type OpinionRefreshBody = components['schemas']['OpinionRefreshBody'];
export type OpinionSplitArtifact = components['schemas']['OpinionSplitArtifact'];
export type OpinionSubmitBody = components['schemas']['OpinionSubmitBody'];
export type OracleRound = components['schemas']['OracleRound'];
export type OrderAction = components['schemas']['OrderAction'];
export type OrderBook = components['schemas']['OrderBook'];
export type OrderCancel = components['schemas']['OrderCancel'];
export type OrderOptions = components['schemas']['OrderOptions'];
export type OrderOverview = components['schemas']['OrderOverview'];
export type Outcome = components['schemas']['Outcome'];
export type Page = components['schemas']['Page'];
export type PairOverride = components['schemas']['PairOverride'];
export type PaperAccount = components['schemas']['PaperAccount'];
export type PaperBalance = components['schemas']['PaperBalance'];
export type PaperFill = components['schemas']['PaperFill'];
export type PaperOrder = components['schemas']['PaperOrder'];
export type PaperPosition = components['schemas']['PaperPosition'];
export type PascalBuildBody = components['schemas']['PascalBuildBody'];
export type PascalCancelArtifact = components['schemas']['PascalCancelArtifact'];
export type PascalCancelBody = components['schemas']['PascalCancelBody'];
export type PascalOrderArtifact = components['schemas']['PascalOrderArtifact'];
export type PascalSubmitBody = components['schemas']['PascalSubmitBody'];
export type Placement = components['schemas']['Placement'];
export type PlanName = components['schemas']['PlanName'];
export type PolymarketBuildBody = components['schemas']['PolymarketBuildBody'];
export type PolymarketCancelArtifact = components['schemas']['PolymarketCancelArtifact'];
export type PolymarketConvertArtifact = components['schemas']['PolymarketConvertArtifact'];
export type PolymarketConvertBody = components['schemas']['PolymarketConvertBody'];
export type PolymarketMergeArtifact = components['schemas']['PolymarketMergeArtifact'];
export type PolymarketOrderArtifact = components['schemas']['PolymarketOrderArtifact'];
export type PolymarketPlainOrder = components['schemas']['PolymarketPlainOrder'];
export type PolymarketRedeemArtifact = components['schemas']['PolymarketRedeemArtifact'];
export type PolymarketRefreshBody = components['schemas']['PolymarketRefreshBody'];
export type PolymarketSplitArtifact = components['schemas']['PolymarketSplitArtifact'];
export type PolymarketSubmitBody = components['schemas']['PolymarketSubmitBody'];
export type PolymarketUsBuildBody = components['schemas']['PolymarketUsBuildBody'];
export type PolymarketUsCancelArtifact = components['schemas']['PolymarketUsCancelArtifact'];
export type PolymarketUsOrderArtifact = components['schemas']['PolymarketUsOrderArtifact'];
export type PolymarketUsRefreshBody = components['schemas']['PolymarketUsRefreshBody'];
export type PolymarketUsSubmitBody = components['schemas']['PolymarketUsSubmitBody'];
export type PolymarketWalletOrder = components['schemas']['PolymarketWalletOrder'];
export type PortfolioCurrencyTotals = components['schemas']['PortfolioCurrencyTotals'];
export type PortfolioEntrySum = components['schemas']['PortfolioEntrySum'];
export type PortfolioFill = components['schemas']['PortfolioFill'];
export type PortfolioGaps = components['schemas']['PortfolioGaps'];
export type PortfolioImport = components['schemas']['PortfolioImport'];
export type PortfolioPeriod = components['schemas']['PortfolioPeriod'];
export type PortfolioPosition = components['schemas']['PortfolioPosition'];
export type PortfolioProvenance = components['schemas']['PortfolioProvenance'];
export type PortfolioStatement = components['schemas']['PortfolioStatement'];
export type PortfolioSum = components['schemas']['PortfolioSum'];
export type PortfolioSummary = components['schemas']['PortfolioSummary'];
export type PortfolioVenueTotals = components['schemas']['PortfolioVenueTotals'];
export type PositionalArguments = components['schemas']['PositionalArguments'];
export type PredBuildBody = components['schemas']['PredBuildBody'];
export type PredCancelArtifact = components['schemas']['PredCancelArtifact'];
export type PredOrderArtifact = components['schemas']['PredOrderArtifact'];
export type PredRefreshBody = components['schemas']['PredRefreshBody'];
export type PredSubmitBody = components['schemas']['PredSubmitBody'];
export type PredictfunBuildBody = components['schemas']['PredictfunBuildBody'];
export type PredictfunCancelArtifact = components['schemas']['PredictfunCancelArtifact'];
export type PredictfunConvertArtifact = components['schemas']['PredictfunConvertArtifact'];
export type PredictfunConvertBody = components['schemas']['PredictfunConvertBody'];
export type PredictfunMergeArtifact = components['schemas']['PredictfunMergeArtifact'];
export type PredictfunMergeBody = components['schemas']['PredictfunMergeBody'];
export type PredictfunOrderArtifact = components['schemas']['PredictfunOrderArtifact'];
export type PredictfunRedeemArtifact = components['schemas']['PredictfunRedeemArtifact'];
export type PredictfunRedeemBody = components['schemas']['PredictfunRedeemBody'];
export type PredictfunRefreshBody = components['schemas']['PredictfunRefreshBody'];
export type PredictfunSplitArtifact = components['schemas']['PredictfunSplitArtifact'];
export type PredictfunSplitBody = components['schemas']['PredictfunSplitBody'];
export type PredictfunSubmitBody = components['schemas']['PredictfunSubmitBody'];
export type PredictstreetBuildBody = components['schemas']['PredictstreetBuildBody'];
export type PredictstreetCancelArtifact = components['schemas']['PredictstreetCancelArtifact'];
export type PredictstreetOrderArtifact = components['schemas']['PredictstreetOrderArtifact'];
export type PredictstreetRefreshBody = components['schemas']['PredictstreetRefreshBody'];
export type PredictstreetSubmitBody = components['schemas']['PredictstreetSubmitBody'];
export type PriceDifference = components['schemas']['PriceDifference'];
export type Provenance = components['schemas']['Provenance'];
export type RainArtifact = components['schemas']['RainArtifact'];
export type RainBuildBody = components['schemas']['RainBuildBody'];
export type RainCancelBody = components['schemas']['RainCancelBody'];
export type RainSubmitBody = components['schemas']['RainSubmitBody'];
export type Range = components['schemas']['Range'];
export type ReconciledHolding = components['schemas']['ReconciledHolding'];
export type ReconciledOrder = components['schemas']['ReconciledOrder'];
export type ReconciledPosition = components['schemas']['ReconciledPosition'];
export type ReconciledVenue = components['schemas']['ReconciledVenue'];
export type ReconciliationClass = components['schemas']['ReconciliationClass'];
export type ReconciliationGap = components['schemas']['ReconciliationGap'];
export type ReconciliationReason = components['schemas']['ReconciliationReason'];
export type RecordedDecision = components['schemas']['RecordedDecision'];
export type RedeemBody = components['schemas']['RedeemBody'];
export type Redeemable = components['schemas']['Redeemable'];
export type RefreshBody = components['schemas']['RefreshBody'];
export type Replacement = components['schemas']['Replacement'];
export type ReplayLine = components['schemas']['ReplayLine'];
export type ReviewedField = components['schemas']['ReviewedField'];
export type ReviewedMarket = components['schemas']['ReviewedMarket'];
export type ReviewedPair = components['schemas']['ReviewedPair'];
export type RiskLimitKind = components['schemas']['RiskLimitKind'];
export type RiskLimitUse = components['schemas']['RiskLimitUse'];
export type RouterAlternative = components['schemas']['RouterAlternative'];
export type RouterExposure = components['schemas']['RouterExposure'];
export type RouterGroup = components['schemas']['RouterGroup'];
export type RouterGroupKind = components['schemas']['RouterGroupKind'];
export type RouterLeftOut = components['schemas']['RouterLeftOut'];
export type RouterLeg = components['schemas']['RouterLeg'];
export type RouterQuote = components['schemas']['RouterQuote'];
export type RouterStatus = components['schemas']['RouterStatus'];
export type RunCompleted = components['schemas']['RunCompleted'];
export type ScreenMarket = components['schemas']['ScreenMarket'];
export type ScreenOutcome = components['schemas']['ScreenOutcome'];
export type Series = components['schemas']['Series'];
export type ShareAmount = components['schemas']['ShareAmount'];
export type SharesExchange = components['schemas']['SharesExchange'];
export type SmartMoneyTrade = components['schemas']['SmartMoneyTrade'];
export type SpendCap = components['schemas']['SpendCap'];
export type SplitBody = components['schemas']['SplitBody'];
export type SportsMeta = components['schemas']['SportsMeta'];
export type StaleReason = components['schemas']['StaleReason'];
export type StatementEntry = components['schemas']['StatementEntry'];
export type StatementPosition = components['schemas']['StatementPosition'];
export type StatementTotals = components['schemas']['StatementTotals'];
export type StoredRiskLimit = components['schemas']['StoredRiskLimit'];
export type Structure = components['schemas']['Structure'];
export type StructureKind = components['schemas']['StructureKind'];
export type StructureLeg = components['schemas']['StructureLeg'];
export type SubmittedItem = components['schemas']['SubmittedItem'];
export type SxbetRefreshBody = components['schemas']['SxbetRefreshBody'];
export type Team = components['schemas']['Team'];
export type TemplateDecision = components['schemas']['TemplateDecision'];
export type TemplatePair = components['schemas']['TemplatePair'];
export type TemplateSlot = components['schemas']['TemplateSlot'];
export type Time = components['schemas']['Time'];
export type TopOfBookLine = components['schemas']['TopOfBookLine'];
export type Trade = components['schemas']['Trade'];
export type TradeFactors = components['schemas']['TradeFactors'];
export type TradeLine = components['schemas']['TradeLine'];
export type TraderHolder = components['schemas']['TraderHolder'];
export type TraderProvenance = components['schemas']['TraderProvenance'];
export type TraderScore = components['schemas']['TraderScore'];
export type TraderTrade = components['schemas']['TraderTrade'];
export type TriggerRule = components['schemas']['TriggerRule'];
export type TriggerTrail = components['schemas']['TriggerTrail'];
export type TriggerTrailInput = components['schemas']['TriggerTrailInput'];
export type Uint256 = components['schemas']['Uint256'];
export type UnresolvedOrder = components['schemas']['UnresolvedOrder'];
export type Usage = components['schemas']['Usage'];
export type UsageLine = components['schemas']['UsageLine'];
export type Venue = components['schemas']['Venue'];
export type VenueMetric = components['schemas']['VenueMetric'];
export type VenuePrice = components['schemas']['VenuePrice'];
export type VenueScheduledCancel = components['schemas']['VenueScheduledCancel'];
export type VolumeSources = components['schemas']['VolumeSources'];
export type WalletCategory = components['schemas']['WalletCategory'];
export type WalletFactors = components['schemas']['WalletFactors'];
export type WalletStats = components['schemas']['WalletStats'];
export type WebhookDelivery = components['schemas']['WebhookDelivery'];
export type WebhookEndpoint = components['schemas']['WebhookEndpoint'];
export type WebhookEvent = components['schemas']['WebhookEvent'];
export type WebhookRotated = components['schemas']['WebhookRotated'];
export type WebhookTest = components['schemas']['WebhookTest'];
export type WebhookWithSecret = components['schemas']['WebhookWithSecret'];
export type XoBuildBody = components['schemas']['XoBuildBody'];
export type XoOrderArtifact = components['schemas']['XoOrderArtifact'];
export type GetIndexAnswer = components['schemas']['GetIndexAnswer'];
export type GetHealthAnswer = components['schemas']['GetHealthAnswer'];
export type GetReadyAnswer = components['schemas']['GetReadyAnswer'];
export type GetStatusAnswer = components['schemas']['GetStatusAnswer'];
export type VenueListAnswer = components['schemas']['VenueListAnswer'];
export type LoadMarketsAnswer = components['schemas']['LoadMarketsAnswer'];
export type MarketListAnswer = components['schemas']['MarketListAnswer'];
export type FetchMarketsPaginatedAnswer = components['schemas']['FetchMarketsPaginatedAnswer'];
export type MarketAnswer = components['schemas']['MarketAnswer'];
export type EventListAnswer = components['schemas']['EventListAnswer'];
export type FetchEventsPaginatedAnswer = components['schemas']['FetchEventsPaginatedAnswer'];
export type EventAnswer = components['schemas']['EventAnswer'];
export type SeriesListAnswer = components['schemas']['SeriesListAnswer'];
export type FetchOrderBookAnswer = components['schemas']['FetchOrderBookAnswer'];
export type FetchOrderBooksAnswer = components['schemas']['FetchOrderBooksAnswer'];
export type TradeListAnswer = components['schemas']['TradeListAnswer'];
export type CandleListAnswer = components['schemas']['CandleListAnswer'];
export type MatchListAnswer = components['schemas']['MatchListAnswer'];
export type FetchEventMatchesAnswer = components['schemas']['FetchEventMatchesAnswer'];
export type MatchedPairListAnswer = components['schemas']['MatchedPairListAnswer'];
export type ArbitrageReadRowListAnswer = components['schemas']['ArbitrageReadRowListAnswer'];
export type GetExecutionPriceAnswer = components['schemas']['GetExecutionPriceAnswer'];
export type GetExecutionPriceDetailedAnswer = components['schemas']['GetExecutionPriceDetailedAnswer'];
export type FilterMarketsAnswer = components['schemas']['FilterMarketsAnswer'];
export type FilterEventsAnswer = components['schemas']['FilterEventsAnswer'];
export type HasAnswer = components['schemas']['HasAnswer'];
export type CloseAnswer = components['schemas']['CloseAnswer'];
export type ListFeedsAnswer = components['schemas']['ListFeedsAnswer'];
export type LoadFeedMarketsAnswer = components['schemas']['LoadFeedMarketsAnswer'];
export type FeedTickerAnswer = components['schemas']['FeedTickerAnswer'];
export type FetchFeedTickersAnswer = components['schemas']['FetchFeedTickersAnswer'];
export type OracleRoundAnswer = components['schemas']['OracleRoundAnswer'];
export type OracleRoundListAnswer = components['schemas']['OracleRoundListAnswer'];
export type GetHistoryCoverageAnswer = components['schemas']['GetHistoryCoverageAnswer'];
export type ListHistoryFilesAnswer = components['schemas']['ListHistoryFilesAnswer'];
export type StructureListAnswer = components['schemas']['StructureListAnswer'];
export type AccountAnswer = components['schemas']['AccountAnswer'];
export type UsageAnswer = components['schemas']['UsageAnswer'];
export type AccountKeyListAnswer = components['schemas']['AccountKeyListAnswer'];
export type GetHyperliquidFundingStepsAnswer = components['schemas']['GetHyperliquidFundingStepsAnswer'];
export type LaneListAnswer = components['schemas']['LaneListAnswer'];
export type ExecutionListAnswer = components['schemas']['ExecutionListAnswer'];
export type ExecutionAnswer = components['schemas']['ExecutionAnswer'];
export type FillListAnswer = components['schemas']['FillListAnswer'];
export type OrderOverviewListAnswer = components['schemas']['OrderOverviewListAnswer'];
export type UnresolvedOrderListAnswer = components['schemas']['UnresolvedOrderListAnswer'];
export type BuildExecutionAnswer = components['schemas']['BuildExecutionAnswer'];
export type ReplacementAnswer = components['schemas']['ReplacementAnswer'];
export type CreateReservationAnswer = components['schemas']['CreateReservationAnswer'];
export type DeleteReservationAnswer = components['schemas']['DeleteReservationAnswer'];
export type HaltTradingAnswer = components['schemas']['HaltTradingAnswer'];
export type ResumeTradingAnswer = components['schemas']['ResumeTradingAnswer'];
export type HaltListAnswer = components['schemas']['HaltListAnswer'];
export type BuiltItemListAnswer = components['schemas']['BuiltItemListAnswer'];
export type SubmittedItemListAnswer = components['schemas']['SubmittedItemListAnswer'];
export type CancelAllAnswer = components['schemas']['CancelAllAnswer'];
export type CancelAfterAnswer = components['schemas']['CancelAfterAnswer'];
export type VenueScheduledCancelAnswer = components['schemas']['VenueScheduledCancelAnswer'];
export type ConditionalOrderAnswer = components['schemas']['ConditionalOrderAnswer'];
export type ConditionalOrderListAnswer = components['schemas']['ConditionalOrderListAnswer'];
export type BracketAnswer = components['schemas']['BracketAnswer'];
export type ExecutionAlgorithmAnswer = components['schemas']['ExecutionAlgorithmAnswer'];
export type ExecutionAlgorithmListAnswer = components['schemas']['ExecutionAlgorithmListAnswer'];
export type RouterGroupAnswer = components['schemas']['RouterGroupAnswer'];
export type RouterGroupListAnswer = components['schemas']['RouterGroupListAnswer'];
export type WebhookWithSecretAnswer = components['schemas']['WebhookWithSecretAnswer'];
export type WebhookEndpointListAnswer = components['schemas']['WebhookEndpointListAnswer'];
export type WebhookEndpointAnswer = components['schemas']['WebhookEndpointAnswer'];
export type DeleteWebhookAnswer = components['schemas']['DeleteWebhookAnswer'];
export type WebhookRotatedAnswer = components['schemas']['WebhookRotatedAnswer'];
export type WebhookDeliveryAnswer = components['schemas']['WebhookDeliveryAnswer'];
export type WebhookDeliveryListAnswer = components['schemas']['WebhookDeliveryListAnswer'];
export type SmartMoneyTradeListAnswer = components['schemas']['SmartMoneyTradeListAnswer'];
export type TraderScoreListAnswer = components['schemas']['TraderScoreListAnswer'];
export type GetTraderLeaderboardAnswer = components['schemas']['GetTraderLeaderboardAnswer'];
export type TraderTradeListAnswer = components['schemas']['TraderTradeListAnswer'];
export type TraderHolderListAnswer = components['schemas']['TraderHolderListAnswer'];
export type TraderScoreAnswer = components['schemas']['TraderScoreAnswer'];
export type OpenOrderListAnswer = components['schemas']['OpenOrderListAnswer'];
export type GetVenueMetricsAnswer = components['schemas']['GetVenueMetricsAnswer'];
export type BridgeOptionListAnswer = components['schemas']['BridgeOptionListAnswer'];
export type BridgeSessionAnswer = components['schemas']['BridgeSessionAnswer'];
export type BridgePaymentTakenAnswer = components['schemas']['BridgePaymentTakenAnswer'];
export type FixtureListAnswer = components['schemas']['FixtureListAnswer'];
export type FixtureDetailAnswer = components['schemas']['FixtureDetailAnswer'];
export type ComparisonAnswer = components['schemas']['ComparisonAnswer'];
export type FacetsAnswer = components['schemas']['FacetsAnswer'];
export type OpenTemplatePairListAnswer = components['schemas']['OpenTemplatePairListAnswer'];
export type TemplatePairAnswer = components['schemas']['TemplatePairAnswer'];
export type RecordedDecisionAnswer = components['schemas']['RecordedDecisionAnswer'];
export type TemplateDecisionListAnswer = components['schemas']['TemplateDecisionListAnswer'];
export type ImportedDecisionsAnswer = components['schemas']['ImportedDecisionsAnswer'];
export type PriceDifferenceListAnswer = components['schemas']['PriceDifferenceListAnswer'];
export type PairOverrideAnswer = components['schemas']['PairOverrideAnswer'];
export type PortfolioPositionListAnswer = components['schemas']['PortfolioPositionListAnswer'];
export type PortfolioSummaryAnswer = components['schemas']['PortfolioSummaryAnswer'];
export type PortfolioFillListAnswer = components['schemas']['PortfolioFillListAnswer'];
export type PortfolioPeriodListAnswer = components['schemas']['PortfolioPeriodListAnswer'];
export type PortfolioStatementAnswer = components['schemas']['PortfolioStatementAnswer'];
export type PortfolioImportAnswer = components['schemas']['PortfolioImportAnswer'];
export type PortfolioImportListAnswer = components['schemas']['PortfolioImportListAnswer'];
export type ReconciledVenueListAnswer = components['schemas']['ReconciledVenueListAnswer'];
export type RedeemableListAnswer = components['schemas']['RedeemableListAnswer'];
export type ExposureRowListAnswer = components['schemas']['ExposureRowListAnswer'];
export type RiskLimitUseListAnswer = components['schemas']['RiskLimitUseListAnswer'];
export type StoredRiskLimitListAnswer = components['schemas']['StoredRiskLimitListAnswer'];
export type StoredRiskLimitAnswer = components['schemas']['StoredRiskLimitAnswer'];
export type RemoveRiskLimitAnswer = components['schemas']['RemoveRiskLimitAnswer'];
export type PaperAccountAnswer = components['schemas']['PaperAccountAnswer'];
export type PaperOrderListAnswer = components['schemas']['PaperOrderListAnswer'];
export type PaperOrderAnswer = components['schemas']['PaperOrderAnswer'];
export type PaperFillListAnswer = components['schemas']['PaperFillListAnswer'];
export type ErrorCode = components['schemas']['ErrorCode'];
export type Error = components['schemas']['Error'];
export type ErrorDetail = components['schemas']['ErrorDetail'];
export type ResponseArbitrageUnavailableOrCatalogUnavailable = components['responses']['ArbitrageUnavailableOrCatalogUnavailable'];
export type ResponseArmConditional200 = components['responses']['ArmConditional200'];
export type ResponseArmConditional400 = components['responses']['ArmConditional400'];
export type ResponseArtifactBoundsViolationOrIdempotencyKeyRequiredOrReservedIdempotencyKey = components['responses']['ArtifactBoundsViolationOrIdempotencyKeyRequiredOrReservedIdempotencyKey'];
export type ResponseBridgeProviderUnavailable = components['responses']['BridgeProviderUnavailable'];
export type ResponseBridgeUnsupported = components['responses']['BridgeUnsupported'];
export type ResponseBridgeUpstream = components['responses']['BridgeUpstream'];
export type ResponseBuildExecution503 = components['responses']['BuildExecution503'];
export type ResponseCatalogQueryTooBroad = components['responses']['CatalogQueryTooBroad'];
export type ResponseCatalogUnavailable = components['responses']['CatalogUnavailable'];
export type ResponseCatalogUnavailableOrExecUnavailableOrMatchesUnavailable = components['responses']['CatalogUnavailableOrExecUnavailableOrMatchesUnavailable'];
export type ResponseCatalogUnavailableOrHistoryUnavailable = components['responses']['CatalogUnavailableOrHistoryUnavailable'];
export type ResponseCatalogUnavailableOrHistoryUnavailableOrNetworkError = components['responses']['CatalogUnavailableOrHistoryUnavailableOrNetworkError'];
export type ResponseCatalogUnavailableOrMatchesUnavailable = components['responses']['CatalogUnavailableOrMatchesUnavailable'];
export type ResponseCatalogUnavailableOrNetworkError = components['responses']['CatalogUnavailableOrNetworkError'];
export type ResponseClose200 = components['responses']['Close200'];
export type ResponseClusterNotFoundOrExchangeNotAvailableOrMarketNotFound = components['responses']['ClusterNotFoundOrExchangeNotAvailableOrMarketNotFound'];
export type ResponseConditionalNotFoundOrRouteNotFound = components['responses']['ConditionalNotFoundOrRouteNotFound'];
export type ResponseEventNotFoundOrExchangeNotAvailable = components['responses']['EventNotFoundOrExchangeNotAvailable'];
export type ResponseExchangeNotAvailable = components['responses']['ExchangeNotAvailable'];
export type ResponseExchangeNotAvailableOrExecutionNotFoundOrVenueNotSupported = components['responses']['ExchangeNotAvailableOrExecutionNotFoundOrVenueNotSupported'];
export type ResponseExchangeNotAvailableOrMarketNotFound = components['responses']['ExchangeNotAvailableOrMarketNotFound'];
export type ResponseExchangeNotAvailableOrOutcomeNotFound = components['responses']['ExchangeNotAvailableOrOutcomeNotFound'];
export type ResponseExchangeNotAvailableOrRouteNotFound = components['responses']['ExchangeNotAvailableOrRouteNotFound'];
export type ResponseExchangeNotAvailableOrVenueNotSupported = components['responses']['ExchangeNotAvailableOrVenueNotSupported'];
export type ResponseExecUnavailable = components['responses']['ExecUnavailable'];
export type ResponseExecUnavailableOrNetworkError = components['responses']['ExecUnavailableOrNetworkError'];
export type ResponseFeedNotFound = components['responses']['FeedNotFound'];
export type ResponseFeedUpstream = components['responses']['FeedUpstream'];
export type ResponseFeedsUnavailable = components['responses']['FeedsUnavailable'];
export type ResponseFetchArbitrage200 = components['responses']['FetchArbitrage200'];
export type ResponseFetchMarketMatches200 = components['responses']['FetchMarketMatches200'];
export type ResponseFetchMatchedMarkets200 = components['responses']['FetchMatchedMarkets200'];
export type ResponseFetchOhlcv200 = components['responses']['FetchOHLCV200'];
export type ResponseFetchOrderBook404 = components['responses']['FetchOrderBook404'];
export type ResponseFetchSeries200 = components['responses']['FetchSeries200'];
export type ResponseGetAlgorithm200 = components['responses']['GetAlgorithm200'];
export type ResponseGetBracket200 = components['responses']['GetBracket200'];
export type ResponseGetExecution200 = components['responses']['GetExecution200'];
export type ResponseGetIndex400 = components['responses']['GetIndex400'];
export type ResponseHas200 = components['responses']['Has200'];
export type ResponseHistoryUnavailable = components['responses']['HistoryUnavailable'];
export type ResponseHistoryUnavailableOrMatchesUnavailableOrNetworkError = components['responses']['HistoryUnavailableOrMatchesUnavailableOrNetworkError'];
export type ResponseHistoryUnavailableOrNetworkError = components['responses']['HistoryUnavailableOrNetworkError'];
export type ResponseIdempotencyConflict = components['responses']['IdempotencyConflict'];
export type ResponseIdempotencyKeyRequiredOrReservedIdempotencyKey = components['responses']['IdempotencyKeyRequiredOrReservedIdempotencyKey'];
export type ResponseKeyed = components['responses']['Keyed'];
export type ResponseListFixtures200 = components['responses']['ListFixtures200'];
export type ResponseLoadMarkets200 = components['responses']['LoadMarkets200'];
export type ResponseMatchesUnavailable = components['responses']['MatchesUnavailable'];
export type ResponseMetered = components['responses']['Metered'];
export type ResponseModifyExecution409 = components['responses']['ModifyExecution409'];
export type ResponseNetworkError = components['responses']['NetworkError'];
export type ResponseNotFound = components['responses']['NotFound'];
export type ResponseNotImplemented = components['responses']['NotImplemented'];
export type ResponseNotImplementedOrNotSupported = components['responses']['NotImplementedOrNotSupported'];
export type ResponseNotModified = components['responses']['NotModified'];
export type ResponseNotSupported = components['responses']['NotSupported'];
export type ResponseOnIngestRunCompleted2Xx = components['responses']['OnIngestRunCompleted2XX'];
export type ResponsePermissionDenied = components['responses']['PermissionDenied'];
export type ResponsePlanRequired = components['responses']['PlanRequired'];
export type ResponsePublic = components['responses']['Public'];
export type ResponseRouteNotFound = components['responses']['RouteNotFound'];
export type ResponseRouteNotFoundOrWebhookNotFound = components['responses']['RouteNotFoundOrWebhookNotFound'];
export type ResponseRouterArbitrage503 = components['responses']['RouterArbitrage503'];
export type ResponseRouterPlan200 = components['responses']['RouterPlan200'];
export type ResponseSpendCapExceeded = components['responses']['SpendCapExceeded'];
export type ResponseSportsScreenUnavailable = components['responses']['SportsScreenUnavailable'];
export type ResponseSubmitExecution200 = components['responses']['SubmitExecution200'];
export type ResponseTestWebhook200 = components['responses']['TestWebhook200'];
export type ResponseTradersUnsupported = components['responses']['TradersUnsupported'];
export type ResponseVenueCredentialBreakerOpen = components['responses']['VenueCredentialBreakerOpen'];
export type ResponseVenueCredentialRejected = components['responses']['VenueCredentialRejected'];
export type ResponseVenueRegionBlocked = components['responses']['VenueRegionBlocked'];
export type ParameterIdempotencyKey = components['parameters']['IdempotencyKey'];
export type ParameterIfNoneMatch = components['parameters']['IfNoneMatch'];
export type ParameterWebhookId = components['parameters']['WebhookId'];
export type ParameterWebhookSignature = components['parameters']['WebhookSignature'];
export type ParameterWebhookTimestamp = components['parameters']['WebhookTimestamp'];
export type ParameterXServiceDelivery = components['parameters']['XServiceDelivery'];
export type ParameterXServiceEvent = components['parameters']['XServiceEvent'];
export type ParameterXServiceSignature = components['parameters']['XServiceSignature'];
export type ParameterXServiceTimestamp = components['parameters']['XServiceTimestamp'];
export type ParameterAddr = components['parameters']['addr'];
export type ParameterAmount = components['parameters']['amount'];
export type ParameterCategory = components['parameters']['category'];
export type ParameterClusterId = components['parameters']['clusterId'];
export type ParameterCompetition = components['parameters']['competition'];
export type ParameterCursor = components['parameters']['cursor'];
export type ParameterCursorOfFetchMarkets = components['parameters']['cursorOfFetchMarkets'];
export type ParameterCursorOfGetHistoryCoverage = components['parameters']['cursorOfGetHistoryCoverage'];
export type ParameterEnd = components['parameters']['end'];
export type ParameterEventId = components['parameters']['eventId'];
export type ParameterExchange = components['parameters']['exchange'];
export type ParameterExchangeOfFetchMarkets = components['parameters']['exchangeOfFetchMarkets'];
export type ParameterExecutionId = components['parameters']['executionId'];
export type ParameterFeed = components['parameters']['feed'];
export type ParameterFilter = components['parameters']['filter'];
export type ParameterFilterOfFetchEvents = components['parameters']['filterOfFetchEvents'];
export type ParameterFormat = components['parameters']['format'];
export type ParameterId = components['parameters']['id'];
export type ParameterIdOfUpdateWebhook = components['parameters']['idOfUpdateWebhook'];
export type ParameterIncludePrices = components['parameters']['includePrices'];
export type ParameterKey = components['parameters']['key'];
export type ParameterLimit = components['parameters']['limit'];
export type ParameterLimitOfFetchMarketMatches = components['parameters']['limitOfFetchMarketMatches'];
export type ParameterLimitOfFetchMarkets = components['parameters']['limitOfFetchMarkets'];
export type ParameterLimitOfGetHistoryCoverage = components['parameters']['limitOfGetHistoryCoverage'];
export type ParameterLine = components['parameters']['line'];
export type ParameterMarket = components['parameters']['market'];
export type ParameterMarketId = components['parameters']['marketId'];
export type ParameterMarketType = components['parameters']['marketType'];
export type ParameterMinConfidence = components['parameters']['minConfidence'];
export type ParameterMinDifference = components['parameters']['minDifference'];
export type ParameterOffset = components['parameters']['offset'];
export type ParameterOrder = components['parameters']['order'];
export type ParameterOrderBook = components['parameters']['orderBook'];
export type ParameterOutcomeId = components['parameters']['outcomeId'];
export type ParameterOutcomeIdOfFetchOrderBook = components['parameters']['outcomeIdOfFetchOrderBook'];
export type ParameterPage = components['parameters']['page'];
export type ParameterPeriod = components['parameters']['period'];
export type ParameterQuery = components['parameters']['query'];
export type ParameterRelation = components['parameters']['relation'];
export type ParameterRelations = components['parameters']['relations'];
export type ParameterSearchIn = components['parameters']['searchIn'];
export type ParameterSeries = components['parameters']['series'];
export type ParameterSide = components['parameters']['side'];
export type ParameterSimilarityThreshold = components['parameters']['similarityThreshold'];
export type ParameterSince = components['parameters']['since'];
export type ParameterSlot = components['parameters']['slot'];
export type ParameterSlug = components['parameters']['slug'];
export type ParameterSort = components['parameters']['sort'];
export type ParameterSortOfFetchMarketMatches = components['parameters']['sortOfFetchMarketMatches'];
export type ParameterSourceExchange = components['parameters']['sourceExchange'];
export type ParameterSport = components['parameters']['sport'];
export type ParameterStart = components['parameters']['start'];
export type ParameterStatus = components['parameters']['status'];
export type ParameterSymbol = components['parameters']['symbol'];
export type ParameterTags = components['parameters']['tags'];
export type ParameterTeam = components['parameters']['team'];
export type ParameterUntil = components['parameters']['until'];
export type ParameterUrl = components['parameters']['url'];
export type ParameterVenue = components['parameters']['venue'];
export type ParameterVenueOfFetchArbitrage = components['parameters']['venueOfFetchArbitrage'];
export type ParameterWindow = components['parameters']['window'];
export type HeaderXRequestId = components['headers']['X-Request-Id'];
export type HeaderXCreditsCharged = components['headers']['X-Credits-Charged'];
export type HeaderXCreditsBalance = components['headers']['X-Credits-Balance'];
export type HeaderIdempotencyReplay = components['headers']['Idempotency-Replay'];
export type HeaderRetryAfter = components['headers']['Retry-After'];
export type HeaderETag = components['headers']['ETag'];
export type $defs = Record<string, never>;
export interface operations {
    getIndex: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetIndexAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            default: components["responses"]["Public"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetHealthAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            default: components["responses"]["Public"];
        };
    };
    getReady: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetReadyAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            /** @description PLATFORM_UNAVAILABLE */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Public"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            400: components["responses"]["GetIndex400"];
            default: components["responses"]["Public"];
        };
    };
    getStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetStatusAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            default: components["responses"]["Keyed"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        openapi: "3.1.0";
                        info: {
                            title: string;
                            version: string;
                        } & {
                            [key: string]: unknown;
                        };
                        paths: {
                            [key: string]: {
                                [key: string]: {
                                    [key: string]: unknown;
                                };
                            };
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["GetIndex400"];
            default: components["responses"]["Public"];
        };
    };
    getAsyncApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        asyncapi: string;
                        info: {
                            title: string;
                            version: string;
                        } & {
                            [key: string]: unknown;
                        };
                        channels: {
                            [key: string]: {
                                [key: string]: unknown;
                            };
                        };
                    } & {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["GetIndex400"];
            default: components["responses"]["Public"];
        };
    };
    listVenues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VenueListAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            default: components["responses"]["Keyed"];
        };
    };
    loadMarkets_get: {
        parameters: {
            query?: {
                reload?: boolean;
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["LoadMarkets200"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    loadMarkets_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LoadMarketsArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            200: components["responses"]["LoadMarkets200"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMarkets_get: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limitOfFetchMarkets"];
                offset?: components["parameters"]["offset"];
                page?: components["parameters"]["page"];
                cursor?: components["parameters"]["cursorOfFetchMarkets"];
                /** @example volume */
                sort?: components["parameters"]["sort"];
                /** @example active */
                status?: components["parameters"]["status"];
                /** @example title */
                searchIn?: components["parameters"]["searchIn"];
                query?: components["parameters"]["query"];
                slug?: components["parameters"]["slug"];
                marketId?: components["parameters"]["marketId"];
                outcomeId?: components["parameters"]["outcomeId"];
                eventId?: components["parameters"]["eventId"];
                category?: components["parameters"]["category"];
                tags?: components["parameters"]["tags"];
                sourceExchange?: components["parameters"]["sourceExchange"];
                exchange?: components["parameters"]["exchangeOfFetchMarkets"];
                filter?: components["parameters"]["filter"];
                similarityThreshold?: components["parameters"]["similarityThreshold"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketListAnswer"];
                };
            };
            400: components["responses"]["CatalogQueryTooBroad"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMarkets_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchMarketsArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketListAnswer"];
                };
            };
            400: components["responses"]["CatalogQueryTooBroad"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMarketsPaginated_get: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limitOfFetchMarkets"];
                offset?: components["parameters"]["offset"];
                page?: components["parameters"]["page"];
                cursor?: components["parameters"]["cursorOfFetchMarkets"];
                /** @example volume */
                sort?: components["parameters"]["sort"];
                /** @example active */
                status?: components["parameters"]["status"];
                /** @example title */
                searchIn?: components["parameters"]["searchIn"];
                query?: components["parameters"]["query"];
                slug?: components["parameters"]["slug"];
                marketId?: components["parameters"]["marketId"];
                outcomeId?: components["parameters"]["outcomeId"];
                eventId?: components["parameters"]["eventId"];
                category?: components["parameters"]["category"];
                tags?: components["parameters"]["tags"];
                sourceExchange?: components["parameters"]["sourceExchange"];
                exchange?: components["parameters"]["exchangeOfFetchMarkets"];
                filter?: components["parameters"]["filter"];
                similarityThreshold?: components["parameters"]["similarityThreshold"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchMarketsPaginatedAnswer"];
                };
            };
            400: components["responses"]["CatalogQueryTooBroad"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMarketsPaginated_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchMarketsArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchMarketsPaginatedAnswer"];
                };
            };
            400: components["responses"]["CatalogQueryTooBroad"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMarket_get: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limitOfFetchMarkets"];
                offset?: components["parameters"]["offset"];
                page?: components["parameters"]["page"];
                cursor?: components["parameters"]["cursorOfFetchMarkets"];
                /** @example volume */
                sort?: components["parameters"]["sort"];
                /** @example active */
                status?: components["parameters"]["status"];
                /** @example title */
                searchIn?: components["parameters"]["searchIn"];
                query?: components["parameters"]["query"];
                slug?: components["parameters"]["slug"];
                marketId?: components["parameters"]["marketId"];
                outcomeId?: components["parameters"]["outcomeId"];
                eventId?: components["parameters"]["eventId"];
                category?: components["parameters"]["category"];
                tags?: components["parameters"]["tags"];
                sourceExchange?: components["parameters"]["sourceExchange"];
                exchange?: components["parameters"]["exchangeOfFetchMarkets"];
                filter?: components["parameters"]["filter"];
                similarityThreshold?: components["parameters"]["similarityThreshold"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketAnswer"];
                };
            };
            400: components["responses"]["CatalogQueryTooBroad"];
            404: components["responses"]["ExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMarket_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchMarketsArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MarketAnswer"];
                };
            };
            400: components["responses"]["CatalogQueryTooBroad"];
            404: components["responses"]["ExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    fetchEvents_get: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limitOfFetchMarkets"];
                offset?: components["parameters"]["offset"];
                page?: components["parameters"]["page"];
                cursor?: components["parameters"]["cursorOfFetchMarkets"];
                /** @example volume */
                sort?: components["parameters"]["sort"];
                /** @example active */
                status?: components["parameters"]["status"];
                /** @example title */
                searchIn?: components["parameters"]["searchIn"];
                query?: components["parameters"]["query"];
                slug?: components["parameters"]["slug"];
                marketId?: components["parameters"]["marketId"];
                outcomeId?: components["parameters"]["outcomeId"];
                eventId?: components["parameters"]["eventId"];
                category?: components["parameters"]["category"];
                tags?: components["parameters"]["tags"];
                sourceExchange?: components["parameters"]["sourceExchange"];
                exchange?: components["parameters"]["exchangeOfFetchMarkets"];
                series?: components["parameters"]["series"];
                filter?: components["parameters"]["filterOfFetchEvents"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventListAnswer"];
                };
            };
            400: components["responses"]["CatalogQueryTooBroad"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchEvents_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchEventsArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventListAnswer"];
                };
            };
            400: components["responses"]["CatalogQueryTooBroad"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchEventsPaginated_get: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limitOfFetchMarkets"];
                offset?: components["parameters"]["offset"];
                page?: components["parameters"]["page"];
                cursor?: components["parameters"]["cursorOfFetchMarkets"];
                /** @example volume */
                sort?: components["parameters"]["sort"];
                /** @example active */
                status?: components["parameters"]["status"];
                /** @example title */
                searchIn?: components["parameters"]["searchIn"];
                query?: components["parameters"]["query"];
                slug?: components["parameters"]["slug"];
                marketId?: components["parameters"]["marketId"];
                outcomeId?: components["parameters"]["outcomeId"];
                eventId?: components["parameters"]["eventId"];
                category?: components["parameters"]["category"];
                tags?: components["parameters"]["tags"];
                sourceExchange?: components["parameters"]["sourceExchange"];
                exchange?: components["parameters"]["exchangeOfFetchMarkets"];
                series?: components["parameters"]["series"];
                filter?: components["parameters"]["filterOfFetchEvents"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchEventsPaginatedAnswer"];
                };
            };
            400: components["responses"]["CatalogQueryTooBroad"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchEventsPaginated_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchEventsArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchEventsPaginatedAnswer"];
                };
            };
            400: components["responses"]["CatalogQueryTooBroad"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchEvent_get: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limitOfFetchMarkets"];
                offset?: components["parameters"]["offset"];
                page?: components["parameters"]["page"];
                cursor?: components["parameters"]["cursorOfFetchMarkets"];
                /** @example volume */
                sort?: components["parameters"]["sort"];
                /** @example active */
                status?: components["parameters"]["status"];
                /** @example title */
                searchIn?: components["parameters"]["searchIn"];
                query?: components["parameters"]["query"];
                slug?: components["parameters"]["slug"];
                marketId?: components["parameters"]["marketId"];
                outcomeId?: components["parameters"]["outcomeId"];
                eventId?: components["parameters"]["eventId"];
                category?: components["parameters"]["category"];
                tags?: components["parameters"]["tags"];
                sourceExchange?: components["parameters"]["sourceExchange"];
                exchange?: components["parameters"]["exchangeOfFetchMarkets"];
                series?: components["parameters"]["series"];
                filter?: components["parameters"]["filterOfFetchEvents"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventAnswer"];
                };
            };
            400: components["responses"]["CatalogQueryTooBroad"];
            404: components["responses"]["EventNotFoundOrExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchEvent_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchEventsArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventAnswer"];
                };
            };
            400: components["responses"]["CatalogQueryTooBroad"];
            404: components["responses"]["EventNotFoundOrExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchSeries_get: {
        parameters: {
            query?: {
                id?: string;
                slug?: components["parameters"]["slug"];
                query?: components["parameters"]["query"];
                recurrence?: string;
                limit?: number;
                offset?: components["parameters"]["offset"];
                cursor?: components["parameters"]["cursorOfFetchMarkets"];
                sourceExchange?: components["parameters"]["sourceExchange"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FetchSeries200"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchSeries_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchSeriesArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            200: components["responses"]["FetchSeries200"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchOrderBook_get: {
        parameters: {
            query: {
                outcomeId: components["parameters"]["outcomeIdOfFetchOrderBook"];
                /** @example yes */
                limit?: number | ("yes" | "no");
                /** @example yes */
                side?: "yes" | "no";
                outcome?: string;
                /** @example 2026-11-22T12:00:00Z */
                since?: components["schemas"]["Time"];
                /** @example 2026-11-22T12:00:00Z */
                until?: components["schemas"]["Time"];
                merged?: boolean;
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchOrderBookAnswer"];
                };
            };
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["FetchOrderBook404"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["HistoryUnavailableOrMatchesUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    fetchOrderBook_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchOrderBookArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchOrderBookAnswer"];
                };
            };
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["FetchOrderBook404"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["HistoryUnavailableOrMatchesUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    fetchOrderBooks_get: {
        parameters: {
            query: {
                outcomeIds: string[];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchOrderBooksAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["NetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    fetchOrderBooks_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchOrderBooksArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchOrderBooksAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["NetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    fetchTrades_get: {
        parameters: {
            query: {
                outcomeId: components["parameters"]["outcomeIdOfFetchOrderBook"];
                /** @example 2026-11-22T12:00:00Z */
                start?: components["parameters"]["start"];
                /** @example 2026-11-22T12:00:00Z */
                end?: components["parameters"]["end"];
                limit?: number;
                resolution?: string;
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TradeListAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailableOrOutcomeNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    fetchTrades_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchTradesArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TradeListAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailableOrOutcomeNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    fetchOHLCV_get: {
        parameters: {
            query: {
                outcomeId: components["parameters"]["outcomeIdOfFetchOrderBook"];
                resolution: string;
                /** @example 2026-11-22T12:00:00Z */
                start?: components["parameters"]["start"];
                /** @example 2026-11-22T12:00:00Z */
                end?: components["parameters"]["end"];
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FetchOHLCV200"];
            404: components["responses"]["ExchangeNotAvailableOrOutcomeNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrHistoryUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    fetchOHLCV_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchOHLCVArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            200: components["responses"]["FetchOHLCV200"];
            404: components["responses"]["ExchangeNotAvailableOrOutcomeNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrHistoryUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMarketMatches_get: {
        parameters: {
            query?: {
                marketId?: components["parameters"]["marketId"];
                slug?: components["parameters"]["slug"];
                url?: components["parameters"]["url"];
                market?: components["parameters"]["market"];
                clusterId?: components["parameters"]["clusterId"];
                query?: components["parameters"]["query"];
                category?: components["parameters"]["category"];
                /** @example identity,complement */
                relation?: components["parameters"]["relation"];
                /** @example identity,complement */
                relations?: components["parameters"]["relations"];
                minConfidence?: components["parameters"]["minConfidence"];
                limit?: components["parameters"]["limitOfFetchMarketMatches"];
                includePrices?: components["parameters"]["includePrices"];
                minDifference?: components["parameters"]["minDifference"];
                /** @example confidence */
                sort?: components["parameters"]["sortOfFetchMarketMatches"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FetchMarketMatches200"];
            404: components["responses"]["ClusterNotFoundOrExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMarketMatches_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchMarketMatchesArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            200: components["responses"]["FetchMarketMatches200"];
            404: components["responses"]["ClusterNotFoundOrExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMatches_get: {
        parameters: {
            query?: {
                marketId?: components["parameters"]["marketId"];
                slug?: components["parameters"]["slug"];
                url?: components["parameters"]["url"];
                market?: components["parameters"]["market"];
                clusterId?: components["parameters"]["clusterId"];
                query?: components["parameters"]["query"];
                category?: components["parameters"]["category"];
                /** @example identity,complement */
                relation?: components["parameters"]["relation"];
                /** @example identity,complement */
                relations?: components["parameters"]["relations"];
                minConfidence?: components["parameters"]["minConfidence"];
                limit?: components["parameters"]["limitOfFetchMarketMatches"];
                includePrices?: components["parameters"]["includePrices"];
                minDifference?: components["parameters"]["minDifference"];
                /** @example confidence */
                sort?: components["parameters"]["sortOfFetchMarketMatches"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FetchMarketMatches200"];
            404: components["responses"]["ClusterNotFoundOrExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMatches_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchMarketMatchesArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            200: components["responses"]["FetchMarketMatches200"];
            404: components["responses"]["ClusterNotFoundOrExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchEventMatches_get: {
        parameters: {
            query?: {
                eventId?: components["parameters"]["eventId"];
                slug?: components["parameters"]["slug"];
                event?: string | ({
                    id: string;
                } & {
                    [key: string]: unknown;
                });
                query?: components["parameters"]["query"];
                category?: components["parameters"]["category"];
                /** @example identity,complement */
                relation?: components["parameters"]["relation"];
                /** @example identity,complement */
                relations?: components["parameters"]["relations"];
                minConfidence?: components["parameters"]["minConfidence"];
                limit?: number;
                includePrices?: components["parameters"]["includePrices"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchEventMatchesAnswer"];
                };
            };
            404: components["responses"]["EventNotFoundOrExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchEventMatches_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchEventMatchesArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchEventMatchesAnswer"];
                };
            };
            404: components["responses"]["EventNotFoundOrExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    compareMarketPrices_get: {
        parameters: {
            query?: {
                marketId?: components["parameters"]["marketId"];
                slug?: components["parameters"]["slug"];
                url?: components["parameters"]["url"];
                market?: components["parameters"]["market"];
                clusterId?: components["parameters"]["clusterId"];
                query?: components["parameters"]["query"];
                category?: components["parameters"]["category"];
                /** @example identity,complement */
                relation?: components["parameters"]["relation"];
                /** @example identity,complement */
                relations?: components["parameters"]["relations"];
                minConfidence?: components["parameters"]["minConfidence"];
                limit?: components["parameters"]["limitOfFetchMarketMatches"];
                includePrices?: components["parameters"]["includePrices"];
                minDifference?: components["parameters"]["minDifference"];
                /** @example confidence */
                sort?: components["parameters"]["sortOfFetchMarketMatches"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FetchMarketMatches200"];
            404: components["responses"]["ClusterNotFoundOrExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    compareMarketPrices_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchMarketMatchesArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            200: components["responses"]["FetchMarketMatches200"];
            404: components["responses"]["ClusterNotFoundOrExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchRelatedMarkets_get: {
        parameters: {
            query?: {
                marketId?: components["parameters"]["marketId"];
                slug?: components["parameters"]["slug"];
                url?: components["parameters"]["url"];
                market?: components["parameters"]["market"];
                clusterId?: components["parameters"]["clusterId"];
                query?: components["parameters"]["query"];
                category?: components["parameters"]["category"];
                /** @example identity,complement */
                relation?: components["parameters"]["relation"];
                /** @example identity,complement */
                relations?: components["parameters"]["relations"];
                minConfidence?: components["parameters"]["minConfidence"];
                limit?: components["parameters"]["limitOfFetchMarketMatches"];
                includePrices?: components["parameters"]["includePrices"];
                minDifference?: components["parameters"]["minDifference"];
                /** @example confidence */
                sort?: components["parameters"]["sortOfFetchMarketMatches"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FetchMarketMatches200"];
            404: components["responses"]["ClusterNotFoundOrExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchRelatedMarkets_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchMarketMatchesArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            200: components["responses"]["FetchMarketMatches200"];
            404: components["responses"]["ClusterNotFoundOrExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchHedges_get: {
        parameters: {
            query?: {
                marketId?: components["parameters"]["marketId"];
                slug?: components["parameters"]["slug"];
                url?: components["parameters"]["url"];
                market?: components["parameters"]["market"];
                clusterId?: components["parameters"]["clusterId"];
                query?: components["parameters"]["query"];
                category?: components["parameters"]["category"];
                /** @example identity,complement */
                relation?: components["parameters"]["relation"];
                /** @example identity,complement */
                relations?: components["parameters"]["relations"];
                minConfidence?: components["parameters"]["minConfidence"];
                limit?: components["parameters"]["limitOfFetchMarketMatches"];
                includePrices?: components["parameters"]["includePrices"];
                minDifference?: components["parameters"]["minDifference"];
                /** @example confidence */
                sort?: components["parameters"]["sortOfFetchMarketMatches"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FetchMarketMatches200"];
            404: components["responses"]["ClusterNotFoundOrExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchHedges_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchMarketMatchesArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            200: components["responses"]["FetchMarketMatches200"];
            404: components["responses"]["ClusterNotFoundOrExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMatchedMarkets_get: {
        parameters: {
            query?: {
                query?: components["parameters"]["query"];
                category?: components["parameters"]["category"];
                /** @example identity,complement */
                relation?: components["parameters"]["relation"];
                /** @example identity,complement */
                relations?: components["parameters"]["relations"];
                minConfidence?: components["parameters"]["minConfidence"];
                limit?: components["parameters"]["limitOfFetchMarketMatches"];
                minDifference?: number;
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FetchMatchedMarkets200"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMatchedMarkets_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchMatchedMarketsArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            200: components["responses"]["FetchMatchedMarkets200"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMatchedPrices_get: {
        parameters: {
            query?: {
                query?: components["parameters"]["query"];
                category?: components["parameters"]["category"];
                /** @example identity,complement */
                relation?: components["parameters"]["relation"];
                /** @example identity,complement */
                relations?: components["parameters"]["relations"];
                minConfidence?: components["parameters"]["minConfidence"];
                limit?: components["parameters"]["limitOfFetchMarketMatches"];
                minDifference?: number;
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FetchMatchedMarkets200"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchMatchedPrices_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchMatchedMarketsArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            200: components["responses"]["FetchMatchedMarkets200"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchArbitrage_get: {
        parameters: {
            query?: {
                contracts?: number;
                limit?: components["parameters"]["limitOfFetchMarketMatches"];
                executableOnly?: boolean;
                venues?: string | string[];
                minEdge?: number;
                minSpread?: number;
                category?: components["parameters"]["category"];
                query?: components["parameters"]["query"];
                marketId?: components["parameters"]["marketId"];
                venue?: components["parameters"]["venueOfFetchArbitrage"];
                relations?: string | string[];
                compat?: boolean;
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["FetchArbitrage200"];
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["ArbitrageUnavailableOrCatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchArbitrage_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FetchArbitrageArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            200: components["responses"]["FetchArbitrage200"];
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["ArbitrageUnavailableOrCatalogUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getExecutionPrice_get: {
        parameters: {
            query: {
                orderBook: components["parameters"]["orderBook"];
                /** @example buy */
                side: components["parameters"]["side"];
                amount: components["parameters"]["amount"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetExecutionPriceAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            default: components["responses"]["Metered"];
        };
    };
    getExecutionPrice_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GetExecutionPriceArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetExecutionPriceAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            default: components["responses"]["Metered"];
        };
    };
    getExecutionPriceDetailed_get: {
        parameters: {
            query: {
                orderBook: components["parameters"]["orderBook"];
                /** @example buy */
                side: components["parameters"]["side"];
                amount: components["parameters"]["amount"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetExecutionPriceDetailedAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            default: components["responses"]["Metered"];
        };
    };
    getExecutionPriceDetailed_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GetExecutionPriceArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetExecutionPriceDetailedAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            default: components["responses"]["Metered"];
        };
    };
    filterMarkets_get: {
        parameters: {
            query: {
                markets: {
                    [key: string]: unknown;
                }[];
                criteria: string | components["schemas"]["MarketCriteria"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterMarketsAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            default: components["responses"]["Metered"];
        };
    };
    filterMarkets_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FilterMarketsArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterMarketsAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            default: components["responses"]["Metered"];
        };
    };
    filterEvents_get: {
        parameters: {
            query: {
                events: {
                    [key: string]: unknown;
                }[];
                criteria: string | components["schemas"]["EventCriteria"];
            };
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterEventsAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            default: components["responses"]["Metered"];
        };
    };
    filterEvents_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        /** @description At most 2097152 bytes */
        requestBody?: {
            content: {
                "application/json": components["schemas"]["FilterEventsArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilterEventsAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            default: components["responses"]["Metered"];
        };
    };
    has_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Has200"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            default: components["responses"]["Keyed"];
        };
    };
    has_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["HasArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            200: components["responses"]["Has200"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            default: components["responses"]["Keyed"];
        };
    };
    close_get: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["Close200"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            default: components["responses"]["Keyed"];
        };
    };
    close_post: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A venue of GET /v1/venues, case-insensitive, or `router` for all of them if the verb supports it */
                exchange: components["parameters"]["exchange"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CloseArguments"] | components["schemas"]["PositionalArguments"];
            };
        };
        responses: {
            200: components["responses"]["Close200"];
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            default: components["responses"]["Keyed"];
        };
    };
    listFeeds: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListFeedsAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            503: components["responses"]["FeedsUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    loadFeedMarkets: {
        parameters: {
            query?: {
                /** @description accepted and ignored */
                reload?: string;
            };
            header?: never;
            path: {
                /** @description A reference feed: binance or chainlink */
                feed: components["parameters"]["feed"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LoadFeedMarketsAnswer"];
                };
            };
            404: components["responses"]["FeedNotFound"];
            503: components["responses"]["FeedsUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchFeedTicker: {
        parameters: {
            query: {
                symbol: string;
            };
            header?: never;
            path: {
                /** @description A reference feed: binance or chainlink */
                feed: components["parameters"]["feed"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedTickerAnswer"];
                };
            };
            404: components["responses"]["FeedNotFound"];
            502: components["responses"]["FeedUpstream"];
            503: components["responses"]["FeedsUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchFeedTickers: {
        parameters: {
            query?: {
                /** @description a comma list */
                symbols?: string;
            };
            header?: never;
            path: {
                /** @description A reference feed: binance or chainlink */
                feed: components["parameters"]["feed"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FetchFeedTickersAnswer"];
                };
            };
            404: components["responses"]["FeedNotFound"];
            502: components["responses"]["FeedUpstream"];
            503: components["responses"]["FeedsUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchOracleRound: {
        parameters: {
            query?: {
                /** @description the pair, such as BTC/USD; required unless the alias is given */
                symbol?: components["parameters"]["symbol"];
                /** @description deprecated alias of symbol */
                feed?: string;
            };
            header?: never;
            path: {
                /** @description A reference feed: binance or chainlink */
                feed: components["parameters"]["feed"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OracleRoundAnswer"];
                };
            };
            404: components["responses"]["FeedNotFound"];
            501: components["responses"]["NotSupported"];
            502: components["responses"]["FeedUpstream"];
            503: components["responses"]["FeedsUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    fetchOracleHistory: {
        parameters: {
            query?: {
                /** @description the pair, such as BTC/USD; required unless the alias is given */
                symbol?: components["parameters"]["symbol"];
                /** @description deprecated alias of symbol */
                feed?: string;
                /** @description 1 to 50 */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description A reference feed: binance or chainlink */
                feed: components["parameters"]["feed"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OracleRoundListAnswer"];
                };
            };
            404: components["responses"]["FeedNotFound"];
            501: components["responses"]["NotSupported"];
            502: components["responses"]["FeedUpstream"];
            503: components["responses"]["FeedsUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    replayHistory: {
        parameters: {
            query: {
                /** @description a single served venue; router is rejected */
                venue: string;
                /** @description canonical stored id or venue-native id */
                outcomeId: string;
                marketId?: string;
                /**
                 * @description l2: full depth, one row per changed level, from the last whole book at or before since; its times are receive times
                 * @example tob
                 */
                kind: "tob" | "trades" | "candles" | "l2";
                /**
                 * @description inclusive; ISO time or epoch ms
                 * @example 2026-11-22T12:00:00Z
                 */
                since: string;
                /**
                 * @description inclusive; at most 31 days after since
                 * @example 2026-11-22T12:00:00Z
                 */
                until: components["parameters"]["until"];
                /**
                 * @description required when kind=candles
                 * @example 1s
                 */
                resolution?: "1s" | "5s" | "10s" | "30s" | "1m" | "1h" | "1d";
                /** @description default 5000, 1 to 20000 */
                limit?: string;
                cursor?: components["parameters"]["cursor"];
                /**
                 * @description default ndjson; null is empty in csv; cursors fit every format
                 * @example ndjson
                 */
                format?: "ndjson" | "csv" | "parquet";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description Since when rows of the kind are taped, or `never` */
                    "X-Tape-Since"?: string;
                    /** @description If the window reaches beyond it: up to when trades were read */
                    "X-Tape-Until"?: string;
                    /** @description For csv and parquet: rows on the page */
                    "X-Page-Rows"?: string;
                    /** @description For csv and parquet; absent: exhausted */
                    "X-Next-Cursor"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ReplayLine"];
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            403: components["responses"]["PlanRequired"];
            /** @description EXCHANGE_NOT_AVAILABLE, OUTCOME_NOT_FOUND, ROUTE_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["CatalogUnavailableOrHistoryUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    replayArbitrage: {
        parameters: {
            query: {
                /**
                 * @description inclusive, by the time a stretch began; ISO time or epoch ms
                 * @example 2026-11-22T12:00:00Z
                 */
                since: string;
                /**
                 * @description inclusive; at most 31 days after since
                 * @example 2026-11-22T12:00:00Z
                 */
                until: components["parameters"]["until"];
                /** @description either leg */
                venue?: string;
                /** @description a base cluster, or one ordered pair <clusterId>:<venueA>:<venueB> */
                clusterId?: string;
                /** @description default 5000, 1 to 20000 */
                limit?: string;
                cursor?: components["parameters"]["cursor"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description If the window begins before it: older stretches are past their retention */
                    "X-Tape-Since"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": components["schemas"]["ArbitrageReplayLine"];
                };
            };
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ExchangeNotAvailableOrRouteNotFound"];
            503: components["responses"]["HistoryUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getHistoryCoverage: {
        parameters: {
            query: {
                venue: string;
                /** @description only this outcome; canonical or venue-native id */
                outcomeId?: string;
                /** @description with outcomeId, where that names several */
                marketId?: string;
                /**
                 * @description inclusive; ISO time or epoch ms; default a day before until
                 * @example 2026-11-22T12:00:00Z
                 */
                since?: string;
                /**
                 * @description inclusive, at most 31 days after since; default now
                 * @example 2026-11-22T12:00:00Z
                 */
                until?: string;
                limit?: components["parameters"]["limitOfGetHistoryCoverage"];
                /** @description opaque, from nextCursor */
                cursor?: components["parameters"]["cursorOfGetHistoryCoverage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetHistoryCoverageAnswer"];
                };
            };
            403: components["responses"]["PlanRequired"];
            /** @description EXCHANGE_NOT_AVAILABLE, OUTCOME_NOT_FOUND, ROUTE_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["CatalogUnavailableOrHistoryUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listHistoryFiles: {
        parameters: {
            query?: {
                /**
                 * @description UTC
                 * @example 2026-11-22
                 */
                date?: string;
                venue?: components["parameters"]["venueOfFetchArbitrage"];
                /** @example tob */
                kind?: "tob" | "trades" | "l2";
                limit?: number;
                /** @description opaque, from nextCursor */
                cursor?: components["parameters"]["cursorOfGetHistoryCoverage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ListHistoryFilesAnswer"];
                };
            };
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ExchangeNotAvailableOrRouteNotFound"];
            default: components["responses"]["Metered"];
        };
    };
    downloadHistoryFile: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier response to the same request */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                /**
                 * @description One byte range; several return the whole file
                 * @example bytes=0-1023
                 */
                Range?: string;
                /** @description The ETag that the range belongs to; if it has changed, the whole file is returned */
                "If-Range"?: string;
            };
            path: {
                /** @example 2026-11-22 */
                date: string;
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                /** @example tob */
                kind: "tob" | "trades" | "l2";
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            /** @description The requested range */
            206: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.apache.parquet": string;
                };
            };
            304: components["responses"]["NotModified"];
            403: components["responses"]["PlanRequired"];
            /** @description EXCHANGE_NOT_AVAILABLE, ROUTE_NOT_FOUND, SNAPSHOT_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description VALIDATION_ERROR */
            416: {
                headers: {
                    /** @description `bytes *\/<size>` */
                    "Content-Range"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Metered"];
        };
    };
    listStructures: {
        parameters: {
            query?: {
                /** @example true */
                executableOnly?: "true" | "false";
                /** @description comma list; default: all but equality */
                kind?: string;
                /** @description comma list: every leg is on one of these */
                venues?: string;
                /** @description minimum edge in dollars */
                minEdge?: number;
                /** @description values above 200 are served as 200 */
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StructureListAnswer"];
                };
            };
            403: components["responses"]["PlanRequired"];
            /** @description ARBITRAGE_UNAVAILABLE, PLATFORM_UNAVAILABLE */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Metered"];
        };
    };
    getAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            default: components["responses"]["Keyed"];
        };
    };
    getAccountUsage: {
        parameters: {
            query?: {
                /**
                 * @description YYYY-MM-DD, UTC
                 * @example 2026-11-22
                 */
                from?: string;
                /**
                 * @description YYYY-MM-DD, UTC
                 * @example 2026-11-22
                 */
                to?: string;
                /**
                 * @description Only the usage of this key
                 * @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11
                 */
                keyId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UsageAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            default: components["responses"]["Keyed"];
        };
    };
    listAccountKeys: {
        parameters: {
            query?: {
                /**
                 * @description meta.nextCursor of the page before
                 * @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11
                 */
                cursor?: string;
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AccountKeyListAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            default: components["responses"]["Keyed"];
        };
    };
    getHyperliquidFundingSteps: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    owner: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetHyperliquidFundingStepsAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["NetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    listExecVenues: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LaneListAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            default: components["responses"]["Metered"];
        };
    };
    listExecutions: {
        parameters: {
            query?: {
                venue?: components["parameters"]["venueOfFetchArbitrage"];
                /** @example built */
                status?: components["schemas"]["ExecutionStatus"];
                /** @example order */
                intent?: components["schemas"]["Intent"];
                /** @example 2026-11-22T12:00:00Z */
                since?: components["parameters"]["since"];
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionListAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                executionId: components["parameters"]["executionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GetExecution200"];
            /** @description EXECUTION_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listExecTrades: {
        parameters: {
            query?: {
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FillListAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailableOrVenueNotSupported"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listOrders: {
        parameters: {
            query?: {
                status?: string;
                venue?: components["parameters"]["venueOfFetchArbitrage"];
                marketId?: components["parameters"]["marketId"];
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                group?: string;
                /** @example 2026-11-22T12:00:00Z */
                since?: components["parameters"]["since"];
                /** @example true */
                open?: "true" | "false";
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OrderOverviewListAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listUnresolvedOrders: {
        parameters: {
            query?: {
                venue?: components["parameters"]["venueOfFetchArbitrage"];
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UnresolvedOrderListAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    buildExecution: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GeminiBuildBody"] | components["schemas"]["HyperliquidBuildBody"] | components["schemas"]["KalshiBuildBody"] | components["schemas"]["LimitlessBuildBody"] | components["schemas"]["MyriadBuildBody"] | components["schemas"]["NovigBuildBody"] | components["schemas"]["OpinionBuildBody"] | components["schemas"]["PascalBuildBody"] | components["schemas"]["PolymarketBuildBody"] | components["schemas"]["PolymarketUsBuildBody"] | components["schemas"]["PredBuildBody"] | components["schemas"]["PredictfunBuildBody"] | components["schemas"]["PredictstreetBuildBody"] | components["schemas"]["RainBuildBody"] | components["schemas"]["XoBuildBody"] | components["schemas"]["RedeemBody"] | components["schemas"]["PredictfunRedeemBody"] | components["schemas"]["SplitBody"] | components["schemas"]["PredictfunSplitBody"] | components["schemas"]["MergeBody"] | components["schemas"]["PredictfunMergeBody"] | components["schemas"]["PolymarketConvertBody"] | components["schemas"]["PredictfunConvertBody"];
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replay": components["headers"]["Idempotency-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuildExecutionAnswer"];
                };
            };
            400: components["responses"]["ArtifactBoundsViolationOrIdempotencyKeyRequiredOrReservedIdempotencyKey"];
            402: components["responses"]["SpendCapExceeded"];
            /** @description EXCHANGE_NOT_AVAILABLE, MARKET_NOT_FOUND, OUTCOME_NOT_FOUND, VENUE_NOT_SUPPORTED */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ARTIFACT_VERSION_CONFLICT, IDEMPOTENCY_CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            451: components["responses"]["VenueRegionBlocked"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["BuildExecution503"];
            default: components["responses"]["Metered"];
        };
    };
    submitExecution: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                executionId: components["parameters"]["executionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GeminiSubmitBody"] | components["schemas"]["HyperliquidSubmitBody"] | components["schemas"]["KalshiSubmitBody"] | components["schemas"]["LimitlessSubmitBody"] | components["schemas"]["MyriadSubmitBody"] | components["schemas"]["NovigSubmitBody"] | components["schemas"]["OpinionSubmitBody"] | components["schemas"]["PascalSubmitBody"] | components["schemas"]["PolymarketSubmitBody"] | components["schemas"]["PolymarketUsSubmitBody"] | components["schemas"]["PredSubmitBody"] | components["schemas"]["PredictfunSubmitBody"] | components["schemas"]["PredictstreetSubmitBody"] | components["schemas"]["RainSubmitBody"];
            };
        };
        responses: {
            200: components["responses"]["SubmitExecution200"];
            /** @description ARTIFACT_BOUNDS_VIOLATION, BAD_REQUEST, GEMINI_HEARTBEAT_KEY_UNSUPPORTED, GEMINI_TIME_NONCE_REQUIRED, IDEMPOTENCY_KEY_REQUIRED, INVALID_SIGNATURE, RESERVED_IDEMPOTENCY_KEY, VALIDATION_ERROR */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            401: components["responses"]["VenueCredentialRejected"];
            /** @description SPEND_CAP_EXCEEDED */
            402: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            403: components["responses"]["PermissionDenied"];
            /** @description EXCHANGE_NOT_AVAILABLE, EXECUTION_NOT_FOUND, PAPER_ORDER_NOT_FOUND, VENUE_NOT_SUPPORTED */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ARTIFACT_INTEGRITY_MISMATCH, ARTIFACT_VERSION_CONFLICT, CLAIM_GENERATION_UNDETERMINED, CONDITIONAL_ARMED, CONDITIONAL_ATTEMPT_CONFLICT, CONDITIONAL_CLOSED_NOT_SUBMITTED, EXECUTION_TERMINAL, IDEMPOTENCY_CONFLICT, OCO_GROUP_CLOSED, PAPER_INSUFFICIENT_CASH, PAPER_MARKET_CLOSED, PAPER_ORDER_NOT_OPEN, PAPER_POSITION_TOO_SMALL, PAPER_WORKING_ORDER_CAP, RESERVATION_CONSUMED, RESERVATION_EXPIRED, RESERVATION_MISMATCH, RESERVATION_RELEASED, RESERVATION_REQUIRED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["VenueCredentialBreakerOpen"];
            451: components["responses"]["VenueRegionBlocked"];
            501: components["responses"]["NotImplemented"];
            /** @description EXEC_UNAVAILABLE, NETWORK_ERROR, PAPER_NO_LIVE_BOOK, PLATFORM_UNAVAILABLE */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Keyed"];
        };
    };
    refreshExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                executionId: components["parameters"]["executionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["GeminiRefreshBody"] | components["schemas"]["RefreshBody"] | components["schemas"]["KalshiRefreshBody"] | components["schemas"]["NovigRefreshBody"] | components["schemas"]["OpinionRefreshBody"] | components["schemas"]["PolymarketRefreshBody"] | components["schemas"]["PolymarketUsRefreshBody"] | components["schemas"]["PredRefreshBody"] | components["schemas"]["PredictfunRefreshBody"] | components["schemas"]["PredictstreetRefreshBody"] | components["schemas"]["SxbetRefreshBody"];
            };
        };
        responses: {
            200: components["responses"]["GetExecution200"];
            401: components["responses"]["VenueCredentialRejected"];
            404: components["responses"]["ExchangeNotAvailableOrExecutionNotFoundOrVenueNotSupported"];
            429: components["responses"]["VenueCredentialBreakerOpen"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ExecUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    resolveExecution: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                executionId: components["parameters"]["executionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    outcome: "failed" | "canceled" | "filled";
                    reason: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            200: components["responses"]["SubmitExecution200"];
            400: components["responses"]["IdempotencyKeyRequiredOrReservedIdempotencyKey"];
            401: components["responses"]["VenueCredentialRejected"];
            404: components["responses"]["ExchangeNotAvailableOrExecutionNotFoundOrVenueNotSupported"];
            /** @description EXECUTION_TERMINAL, IDEMPOTENCY_CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            429: components["responses"]["VenueCredentialBreakerOpen"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["ExecUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    cancelExecution: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                executionId: components["parameters"]["executionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["CancelBody"] | components["schemas"]["PascalCancelBody"] | components["schemas"]["RainCancelBody"];
            };
        };
        responses: {
            200: components["responses"]["SubmitExecution200"];
            400: components["responses"]["ArtifactBoundsViolationOrIdempotencyKeyRequiredOrReservedIdempotencyKey"];
            404: components["responses"]["ExchangeNotAvailableOrExecutionNotFoundOrVenueNotSupported"];
            /** @description ARTIFACT_INTEGRITY_MISMATCH, ARTIFACT_VERSION_CONFLICT, CLAIM_GENERATION_UNDETERMINED, EXECUTION_TERMINAL, IDEMPOTENCY_CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ExecUnavailableOrNetworkError"];
            default: components["responses"]["Keyed"];
        };
    };
    discardExecution: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                executionId: components["parameters"]["executionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GetExecution200"];
            404: components["responses"]["ExchangeNotAvailableOrExecutionNotFoundOrVenueNotSupported"];
            /** @description CONDITIONAL_ARMED, CONDITIONAL_ATTEMPT_CONFLICT, EXECUTION_TERMINAL, IDEMPOTENCY_CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    modifyExecution: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                executionId: components["parameters"]["executionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ModifyBody"];
            };
        };
        responses: {
            200: components["responses"]["SubmitExecution200"];
            400: components["responses"]["ArtifactBoundsViolationOrIdempotencyKeyRequiredOrReservedIdempotencyKey"];
            402: components["responses"]["SpendCapExceeded"];
            404: components["responses"]["ExchangeNotAvailableOrExecutionNotFoundOrVenueNotSupported"];
            409: components["responses"]["ModifyExecution409"];
            451: components["responses"]["VenueRegionBlocked"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ExecUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    replaceExecution: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                executionId: components["parameters"]["executionId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description the modify body, for venues with `verbs.modify` */
                    modify?: components["schemas"]["JsonObject"];
                    /** @description the build body, for other venues; its `size` is at most what is left of the replaced order, and may be left out */
                    order?: components["schemas"]["JsonObject"];
                    /** @description the cancel body, for other venues whose cancel has fields */
                    cancel?: components["schemas"]["JsonObject"];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replay": components["headers"]["Idempotency-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReplacementAnswer"];
                };
            };
            400: components["responses"]["ArtifactBoundsViolationOrIdempotencyKeyRequiredOrReservedIdempotencyKey"];
            402: components["responses"]["SpendCapExceeded"];
            /** @description EXCHANGE_NOT_AVAILABLE, EXECUTION_NOT_FOUND, MARKET_NOT_FOUND, OUTCOME_NOT_FOUND, VENUE_NOT_SUPPORTED */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            409: components["responses"]["ModifyExecution409"];
            451: components["responses"]["VenueRegionBlocked"];
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["BuildExecution503"];
            default: components["responses"]["Metered"];
        };
    };
    createReservation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                executionId: components["parameters"]["executionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreateReservationAnswer"];
                };
            };
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ExchangeNotAvailableOrExecutionNotFoundOrVenueNotSupported"];
            /** @description CONDITIONAL_ARMED, CONDITIONAL_ATTEMPT_CONFLICT, CONDITIONAL_CLOSED_NOT_SUBMITTED, EXECUTION_TERMINAL, OCO_GROUP_CLOSED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    deleteReservation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                executionId: components["parameters"]["executionId"];
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                reservationId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteReservationAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailableOrExecutionNotFoundOrVenueNotSupported"];
            /** @description RESERVATION_CONSUMED, RESERVATION_MISMATCH */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    getHalts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HaltListAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    haltTrading: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    scope: "account" | "venue" | "all";
                    venue?: string;
                    reason: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HaltTradingAnswer"];
                };
            };
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ExchangeNotAvailableOrVenueNotSupported"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    resumeTrading: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    scope: "account" | "venue" | "all";
                    venue?: string;
                    reason: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResumeTradingAnswer"];
                };
            };
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ExchangeNotAvailableOrVenueNotSupported"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    batchBuild: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 262144 bytes */
        requestBody?: {
            content: {
                "application/json": {
                    orders: ({
                        venue: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                    dryRun?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replay": components["headers"]["Idempotency-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BuiltItemListAnswer"];
                };
            };
            400: components["responses"]["IdempotencyKeyRequiredOrReservedIdempotencyKey"];
            409: components["responses"]["IdempotencyConflict"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    batchSubmit: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        /** @description At most 262144 bytes */
        requestBody?: {
            content: {
                "application/json": {
                    submits: ({
                        /** Format: uuid */
                        executionId: string;
                    } & {
                        [key: string]: unknown;
                    })[];
                    credentials?: {
                        [key: string]: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replay": components["headers"]["Idempotency-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SubmittedItemListAnswer"];
                };
            };
            400: components["responses"]["IdempotencyKeyRequiredOrReservedIdempotencyKey"];
            409: components["responses"]["IdempotencyConflict"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    cancelAll: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    venue?: string;
                    marketId?: string;
                    confirm?: boolean;
                    conditionals?: boolean;
                    fields?: {
                        [key: string]: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replay": components["headers"]["Idempotency-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelAllAnswer"];
                };
            };
            400: components["responses"]["IdempotencyKeyRequiredOrReservedIdempotencyKey"];
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ExchangeNotAvailable"];
            409: components["responses"]["IdempotencyConflict"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    getCancelAfter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelAfterAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    setCancelAfter: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description from now until the cancels are built; 0 switches it off */
                    seconds: 0 | number;
                    /** @description whose orders are cancelled; default: of every venue */
                    venues?: ("hyperliquid" | "kalshi" | "limitless" | "opinion" | "polymarket" | "polymarket_us" | "predictfun" | "pascal" | "xo" | "gemini" | "pred" | "rain" | "myriad" | "predictstreet" | "novig")[];
                    /** @description by venue: fields of its cancel body, for venues whose cancel takes any; they are stored, so never credentials */
                    fields?: {
                        [key: string]: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CancelAfterAnswer"];
                };
            };
            /** @description VENUE_NOT_SUPPORTED */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            501: components["responses"]["NotImplemented"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    scheduleVenueCancel: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description from now until the venue cancels all open orders of the account; 0: no longer */
                    seconds: 0 | number;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VenueScheduledCancelAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailableOrVenueNotSupported"];
            501: components["responses"]["NotImplementedOrNotSupported"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    listConditionals: {
        parameters: {
            query?: {
                status?: string;
                venue?: components["parameters"]["venueOfFetchArbitrage"];
                /** @example all */
                fireMode?: "all" | "hosted" | "client";
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConditionalOrderListAnswer"];
                };
            };
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ExchangeNotAvailableOrRouteNotFound"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    armConditional: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    executionId: string;
                    trigger: {
                        /** @enum {string} */
                        when?: "at_or_above" | "at_or_below";
                        price?: number;
                        trail?: components["schemas"]["TriggerTrailInput"];
                        /** Format: date-time */
                        at?: string;
                        /** @enum {string} */
                        reference?: "mark" | "bid" | "ask";
                        confirmations?: number;
                        dwellMs?: number;
                        maxSpread?: number;
                        minSize?: number;
                        /** @enum {string} */
                        tpsl?: "tp" | "sl";
                    };
                    fireMode: components["schemas"]["FireMode"];
                    /** Format: date-time */
                    expiresAt: string;
                    /** Format: uuid */
                    ocoGroupId?: string;
                    signedArtifact?: components["schemas"]["JsonObject"];
                };
            };
        };
        responses: {
            200: components["responses"]["ArmConditional200"];
            400: components["responses"]["ArmConditional400"];
            403: components["responses"]["PlanRequired"];
            /** @description EXECUTION_NOT_FOUND, ROUTE_NOT_FOUND, VENUE_NOT_SUPPORTED */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ARTIFACT_INTEGRITY_MISMATCH, ARTIFACT_VERSION_CONFLICT, CONDITIONAL_ATTEMPT_CONFLICT, EXECUTION_TERMINAL, IDEMPOTENCY_CONFLICT, OCO_GROUP_CLOSED, PAPER_MARKET_CLOSED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            451: components["responses"]["VenueRegionBlocked"];
            501: components["responses"]["NotImplementedOrNotSupported"];
            /** @description EXEC_UNAVAILABLE, HOSTED_FIRE_UNAVAILABLE, NETWORK_ERROR, PAPER_NO_LIVE_BOOK, PLATFORM_UNAVAILABLE */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Metered"];
        };
    };
    getConditional: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConditionalOrderAnswer"];
                };
            };
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ConditionalNotFoundOrRouteNotFound"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    cancelConditional: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ArmConditional200"];
            400: components["responses"]["IdempotencyKeyRequiredOrReservedIdempotencyKey"];
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ConditionalNotFoundOrRouteNotFound"];
            /** @description CONDITIONAL_NOT_ARMED, IDEMPOTENCY_CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    reportConditional: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    outcome: "fired" | "not_submitted";
                    venueRef?: string;
                    reason?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConditionalOrderAnswer"];
                };
            };
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ConditionalNotFoundOrRouteNotFound"];
            /** @description CONDITIONAL_ARMED, CONDITIONAL_ATTEMPT_CONFLICT, CONDITIONAL_NOT_ARMED, IDEMPOTENCY_CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    createBracket: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    entryExecutionId: string;
                    takeProfit?: {
                        trigger: {
                            /** @enum {string} */
                            when?: "at_or_above" | "at_or_below";
                            price?: number;
                            trail?: components["schemas"]["TriggerTrailInput"];
                            /** Format: date-time */
                            at?: string;
                            /** @enum {string} */
                            reference?: "mark" | "bid" | "ask";
                            confirmations?: number;
                            dwellMs?: number;
                            maxSpread?: number;
                            minSize?: number;
                            /** @enum {string} */
                            tpsl?: "tp" | "sl";
                        };
                        build: components["schemas"]["JsonObject"];
                    };
                    stopLoss?: {
                        trigger: {
                            /** @enum {string} */
                            when?: "at_or_above" | "at_or_below";
                            price?: number;
                            trail?: components["schemas"]["TriggerTrailInput"];
                            /** Format: date-time */
                            at?: string;
                            /** @enum {string} */
                            reference?: "mark" | "bid" | "ask";
                            confirmations?: number;
                            dwellMs?: number;
                            maxSpread?: number;
                            minSize?: number;
                            /** @enum {string} */
                            tpsl?: "tp" | "sl";
                        };
                        build: components["schemas"]["JsonObject"];
                    };
                    /** Format: date-time */
                    expiresAt: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replay": components["headers"]["Idempotency-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BracketAnswer"];
                };
            };
            400: components["responses"]["ArtifactBoundsViolationOrIdempotencyKeyRequiredOrReservedIdempotencyKey"];
            403: components["responses"]["PlanRequired"];
            /** @description EXECUTION_NOT_FOUND, MARKET_NOT_FOUND, OUTCOME_NOT_FOUND, ROUTE_NOT_FOUND, VENUE_NOT_SUPPORTED */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description EXECUTION_TERMINAL, IDEMPOTENCY_CONFLICT */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            451: components["responses"]["VenueRegionBlocked"];
            501: components["responses"]["NotImplementedOrNotSupported"];
            503: components["responses"]["BuildExecution503"];
            default: components["responses"]["Metered"];
        };
    };
    getBracket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GetBracket200"];
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ConditionalNotFoundOrRouteNotFound"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    cancelBracket: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GetBracket200"];
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ConditionalNotFoundOrRouteNotFound"];
            /** @description CONDITIONAL_NOT_ARMED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    listAlgorithms: {
        parameters: {
            query?: {
                status?: string;
                venue?: components["parameters"]["venueOfFetchArbitrage"];
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionAlgorithmListAnswer"];
                };
            };
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ExchangeNotAvailableOrRouteNotFound"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    createAlgorithm: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    venue: string;
                    algorithm: components["schemas"]["AlgorithmParametersInput"];
                    /** @description the venue’s build body without price, size, time in force and post-only; required unless slices are signed in advance */
                    build?: components["schemas"]["JsonObject"];
                    /** @description total */
                    size: number | string;
                    /** @description no slice is priced worse */
                    limitPrice: number | string;
                    /** @description sizes of slices are multiples of it; absent: the last decimal place of size */
                    sizeStep?: number | string;
                    /** @description no smaller slice is sent; absent: sizeStep */
                    minSliceSize?: number | string;
                    /**
                     * @description of slices that rest
                     * @default false
                     */
                    postOnly?: boolean;
                    /**
                     * @description `client`: each slice is offered on the order stream for signing. `hosted`: slices are sent without its owner
                     * @default client
                     */
                    mode?: components["schemas"]["FireMode"];
                    /**
                     * @description client mode: a slice that was not submitted by then is withdrawn, and one at a new price may follow
                     * @default 60000
                     */
                    signWithinMs?: number;
                    /** @description the venue’s cancel body, where it takes fields */
                    cancel?: components["schemas"]["JsonObject"];
                    /**
                     * Format: date-time
                     * @description absent: now
                     */
                    startsAt?: string;
                    /**
                     * Format: date-time
                     * @description required, except for twap, which has a duration
                     */
                    expiresAt?: string;
                    /** @description hosted mode, for twap and iceberg: the signed slices in order, where submits take a signature */
                    signedSlices?: {
                        /** Format: uuid */
                        executionId: string;
                        signedArtifact: components["schemas"]["JsonObject"];
                    }[];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replay": components["headers"]["Idempotency-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExecutionAlgorithmAnswer"];
                };
            };
            400: components["responses"]["ArmConditional400"];
            403: components["responses"]["PlanRequired"];
            /** @description EXCHANGE_NOT_AVAILABLE, EXECUTION_NOT_FOUND, MARKET_NOT_FOUND, OUTCOME_NOT_FOUND, ROUTE_NOT_FOUND, VENUE_NOT_SUPPORTED */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description ARTIFACT_INTEGRITY_MISMATCH, ARTIFACT_VERSION_CONFLICT, CONDITIONAL_ATTEMPT_CONFLICT, EXECUTION_TERMINAL, IDEMPOTENCY_CONFLICT, PAPER_MARKET_CLOSED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            451: components["responses"]["VenueRegionBlocked"];
            501: components["responses"]["NotImplementedOrNotSupported"];
            /** @description CATALOG_UNAVAILABLE, EXEC_UNAVAILABLE, HOSTED_FIRE_UNAVAILABLE, NETWORK_ERROR, PAPER_NO_LIVE_BOOK, PLATFORM_UNAVAILABLE */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Metered"];
        };
    };
    getAlgorithm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GetAlgorithm200"];
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ConditionalNotFoundOrRouteNotFound"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    cancelAlgorithm: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["GetAlgorithm200"];
            403: components["responses"]["PlanRequired"];
            404: components["responses"]["ConditionalNotFoundOrRouteNotFound"];
            /** @description CONDITIONAL_NOT_ARMED */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    routerPlan: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    venue?: string;
                    marketId?: string;
                    clusterId?: string;
                    /** @enum {string} */
                    outcomeSide: "YES" | "NO";
                    isBuy: boolean;
                    size?: number | string;
                    amount?: number | string;
                    worstPrice?: number | string;
                    structures?: boolean;
                    persist?: boolean;
                    artifacts?: boolean;
                    accounts?: {
                        [key: string]: {
                            [key: string]: unknown;
                        };
                    };
                    balances?: {
                        [key: string]: number | string;
                    };
                    venues?: string[];
                    excludeVenues?: string[];
                    bookAgeMaxMs?: number;
                };
            };
        };
        responses: {
            200: components["responses"]["RouterPlan200"];
            400: components["responses"]["IdempotencyKeyRequiredOrReservedIdempotencyKey"];
            /** @description CLUSTER_NOT_FOUND, MARKET_NOT_FOUND, VENUE_NOT_SUPPORTED */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            409: components["responses"]["IdempotencyConflict"];
            503: components["responses"]["CatalogUnavailableOrExecUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    routerArbitrage: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                clusterId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    size?: number | string;
                    sizeMax?: number | string;
                    minEdge: number | string;
                    persist?: boolean;
                    artifacts?: boolean;
                    accounts?: {
                        [key: string]: {
                            [key: string]: unknown;
                        };
                    };
                    balances?: {
                        [key: string]: number | string;
                    };
                    venues?: string[];
                    excludeVenues?: string[];
                    bookAgeMaxMs?: number;
                };
            };
        };
        responses: {
            200: components["responses"]["RouterPlan200"];
            400: components["responses"]["IdempotencyKeyRequiredOrReservedIdempotencyKey"];
            403: components["responses"]["PlanRequired"];
            /** @description CLUSTER_NOT_FOUND, MARKET_NOT_FOUND, VENUE_NOT_SUPPORTED */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            409: components["responses"]["IdempotencyConflict"];
            503: components["responses"]["RouterArbitrage503"];
            default: components["responses"]["Metered"];
        };
    };
    routerStructure: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                structureId: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    size?: number | string;
                    sizeMax?: number | string;
                    minEdge: number | string;
                    persist?: boolean;
                    artifacts?: boolean;
                    accounts?: {
                        [key: string]: {
                            [key: string]: unknown;
                        };
                    };
                    balances?: {
                        [key: string]: number | string;
                    };
                    venues?: string[];
                    excludeVenues?: string[];
                    bookAgeMaxMs?: number;
                };
            };
        };
        responses: {
            200: components["responses"]["RouterPlan200"];
            400: components["responses"]["IdempotencyKeyRequiredOrReservedIdempotencyKey"];
            403: components["responses"]["PlanRequired"];
            /** @description MARKET_NOT_FOUND, NOT_FOUND, VENUE_NOT_SUPPORTED */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            409: components["responses"]["IdempotencyConflict"];
            503: components["responses"]["RouterArbitrage503"];
            default: components["responses"]["Metered"];
        };
    };
    listRouterGroups: {
        parameters: {
            query?: {
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RouterGroupListAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getRouterGroup: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RouterGroupAnswer"];
                };
            };
            404: components["responses"]["NotFound"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    closeRouterGroup: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path: {
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                id: components["parameters"]["id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @enum {string} */
                    mode?: "complete" | "unwind";
                    persist?: boolean;
                    artifacts?: boolean;
                    accounts?: {
                        [key: string]: {
                            [key: string]: unknown;
                        };
                    };
                    balances?: {
                        [key: string]: number | string;
                    };
                    venues?: string[];
                    excludeVenues?: string[];
                    bookAgeMaxMs?: number;
                };
            };
        };
        responses: {
            200: components["responses"]["RouterPlan200"];
            400: components["responses"]["IdempotencyKeyRequiredOrReservedIdempotencyKey"];
            /** @description MARKET_NOT_FOUND, NOT_FOUND, VENUE_NOT_SUPPORTED */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            409: components["responses"]["IdempotencyConflict"];
            503: components["responses"]["CatalogUnavailableOrExecUnavailableOrMatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointListAnswer"];
                };
            };
            404: components["responses"]["RouteNotFound"];
            default: components["responses"]["Metered"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    url: string;
                    events: components["schemas"]["WebhookEvent"][];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookWithSecretAnswer"];
                };
            };
            404: components["responses"]["RouteNotFound"];
            default: components["responses"]["Metered"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["idOfUpdateWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeleteWebhookAnswer"];
                };
            };
            404: components["responses"]["RouteNotFoundOrWebhookNotFound"];
            default: components["responses"]["Keyed"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["idOfUpdateWebhook"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    active: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookEndpointAnswer"];
                };
            };
            404: components["responses"]["RouteNotFoundOrWebhookNotFound"];
            default: components["responses"]["Keyed"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["idOfUpdateWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookRotatedAnswer"];
                };
            };
            404: components["responses"]["RouteNotFoundOrWebhookNotFound"];
            default: components["responses"]["Metered"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["idOfUpdateWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TestWebhook200"];
            404: components["responses"]["RouteNotFoundOrWebhookNotFound"];
            default: components["responses"]["Metered"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @example oldest */
                order?: components["parameters"]["order"];
                after?: string;
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path: {
                id: components["parameters"]["idOfUpdateWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookDeliveryListAnswer"];
                };
            };
            404: components["responses"]["RouteNotFoundOrWebhookNotFound"];
            default: components["responses"]["Metered"];
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["idOfUpdateWebhook"];
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["TestWebhook200"];
            404: components["responses"]["RouteNotFoundOrWebhookNotFound"];
            default: components["responses"]["Metered"];
        };
    };
    listSmartMoney: {
        parameters: {
            query?: {
                venue?: components["parameters"]["venueOfFetchArbitrage"];
                minScore?: number;
                market?: string;
                wallet?: string;
                /** @example bot */
                category?: components["schemas"]["WalletCategory"];
                /** @example day */
                window?: components["parameters"]["window"];
                limit?: components["parameters"]["limitOfGetHistoryCoverage"];
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SmartMoneyTradeListAnswer"];
                };
            };
            400: components["responses"]["TradersUnsupported"];
            404: components["responses"]["ExchangeNotAvailableOrRouteNotFound"];
            503: components["responses"]["HistoryUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getScoreLeaderboard: {
        parameters: {
            query?: {
                by?: "score";
                window?: "all";
                limit?: components["parameters"]["limitOfGetHistoryCoverage"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraderScoreListAnswer"];
                };
            };
            404: components["responses"]["RouteNotFound"];
            503: components["responses"]["HistoryUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getTraderLeaderboard: {
        parameters: {
            query?: {
                /** @example profit */
                by?: "profit" | "volume" | "score";
                /** @example day */
                window?: components["parameters"]["window"];
                limit?: components["parameters"]["limitOfGetHistoryCoverage"];
            };
            header?: never;
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetTraderLeaderboardAnswer"];
                };
            };
            400: components["responses"]["TradersUnsupported"];
            404: components["responses"]["ExchangeNotAvailableOrRouteNotFound"];
            503: components["responses"]["HistoryUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    listTraderTrades: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limitOfGetHistoryCoverage"];
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                marketId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraderTradeListAnswer"];
                };
            };
            400: components["responses"]["TradersUnsupported"];
            /** @description EXCHANGE_NOT_AVAILABLE, MARKET_NOT_FOUND, ROUTE_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["CatalogUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    listTraderHolders: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limitOfGetHistoryCoverage"];
            };
            header?: never;
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                marketId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraderHolderListAnswer"];
                };
            };
            400: components["responses"]["TradersUnsupported"];
            /** @description EXCHANGE_NOT_AVAILABLE, MARKET_NOT_FOUND, ROUTE_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["CatalogUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    getTraderWallet: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                addr: components["parameters"]["addr"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraderScoreAnswer"];
                };
            };
            400: components["responses"]["TradersUnsupported"];
            /** @description EXCHANGE_NOT_AVAILABLE, ROUTE_NOT_FOUND, TRADER_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["HistoryUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    listWalletTrades: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limitOfGetHistoryCoverage"];
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                addr: components["parameters"]["addr"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TraderTradeListAnswer"];
                };
            };
            400: components["responses"]["TradersUnsupported"];
            /** @description EXCHANGE_NOT_AVAILABLE, ROUTE_NOT_FOUND, TRADER_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["CatalogUnavailableOrHistoryUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    listOpenOrders: {
        parameters: {
            query?: {
                limit?: components["parameters"]["limitOfGetHistoryCoverage"];
                /** @description opaque, from nextCursor */
                cursor?: components["parameters"]["cursorOfGetHistoryCoverage"];
            };
            header?: never;
            path: {
                /** @description The name of a venue, case-insensitive */
                venue: components["parameters"]["venue"];
                accountId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenOrderListAnswer"];
                };
            };
            /** @description ACCOUNTS_UNSUPPORTED, BAD_REQUEST, VALIDATION_ERROR */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description EXCHANGE_NOT_AVAILABLE, ROUTE_NOT_FOUND, VENUE_NOT_AVAILABLE */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            501: components["responses"]["NotSupported"];
            503: components["responses"]["CatalogUnavailableOrNetworkError"];
            default: components["responses"]["Metered"];
        };
    };
    getVenueMetrics: {
        parameters: {
            query?: {
                /** @description default: all tracked venues */
                venue?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GetVenueMetricsAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailableOrRouteNotFound"];
            default: components["responses"]["Metered"];
        };
    };
    quoteBridge: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description EVM chain id of the origin */
                    fromChain: string;
                    /** @description the token that is sent, on that chain */
                    fromToken: string;
                    /** @description in millionths: "1000000" is one USDC on any chain */
                    fromAmount: string;
                    /** @description the payer, and the recipient on the venue’s chain */
                    fromAddress: string;
                    /** @description a venue with a deposit in GET /v1/venues */
                    toVenue: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeOptionListAnswer"];
                };
            };
            400: components["responses"]["BridgeUnsupported"];
            /** @description BRIDGE_NO_ROUTE, EXCHANGE_NOT_AVAILABLE */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            501: components["responses"]["NotSupported"];
            502: components["responses"]["BridgeUpstream"];
            503: components["responses"]["BridgeProviderUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    createBridgeSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description EVM chain id of the origin */
                    fromChain: string;
                    /** @description the token that is sent, on that chain */
                    fromToken: string;
                    /** @description in millionths: "1000000" is one USDC on any chain */
                    fromAmount: string;
                    /** @description the payer, and the recipient on the venue’s chain */
                    fromAddress: string;
                    /** @description a venue with a deposit in GET /v1/venues */
                    toVenue: string;
                    /** @description from one of the quote’s options */
                    paymentCurrency: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeSessionAnswer"];
                };
            };
            400: components["responses"]["BridgeUnsupported"];
            /** @description BRIDGE_NO_ROUTE, EXCHANGE_NOT_AVAILABLE */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            501: components["responses"]["NotSupported"];
            502: components["responses"]["BridgeUpstream"];
            503: components["responses"]["BridgeProviderUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    reportBridgePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["idOfUpdateWebhook"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    transactionHash?: string;
                    signature?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgePaymentTakenAnswer"];
                };
            };
            /** @description BRIDGE_SESSION_NOT_FOUND, BRIDGE_TRANSACTION_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            501: components["responses"]["NotSupported"];
            502: components["responses"]["BridgeUpstream"];
            503: components["responses"]["BridgeProviderUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    getBridgeSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["idOfUpdateWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BridgeSessionAnswer"];
                };
            };
            /** @description BRIDGE_SESSION_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            501: components["responses"]["NotSupported"];
            502: components["responses"]["BridgeUpstream"];
            503: components["responses"]["BridgeProviderUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listFixtures: {
        parameters: {
            query?: {
                sport?: components["parameters"]["sport"];
                competition?: components["parameters"]["competition"];
                team?: components["parameters"]["team"];
                venue?: string;
                status?: string;
                from?: string;
                to?: string;
                limit?: components["parameters"]["limit"];
                cursor?: string;
            };
            header?: {
                /** @description The ETag of an earlier response to the same request */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ListFixtures200"];
            304: components["responses"]["NotModified"];
            404: components["responses"]["ExchangeNotAvailableOrRouteNotFound"];
            503: components["responses"]["SportsScreenUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getFixture: {
        parameters: {
            query?: never;
            header?: {
                /** @description The ETag of an earlier response to the same request */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: components["parameters"]["idOfUpdateWebhook"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FixtureDetailAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description ROUTE_NOT_FOUND, SPORTS_FIXTURE_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["SportsScreenUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getSportsScreen: {
        parameters: {
            query?: {
                sport?: components["parameters"]["sport"];
                competition?: components["parameters"]["competition"];
                team?: components["parameters"]["team"];
                venue?: string;
                status?: string;
                from?: string;
                to?: string;
                marketType?: components["parameters"]["marketType"];
                period?: components["parameters"]["period"];
                slot?: components["parameters"]["slot"];
                line?: components["parameters"]["line"];
                limit?: components["parameters"]["limit"];
                cursor?: string;
            };
            header?: {
                /** @description The ETag of an earlier response to the same request */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: components["responses"]["ListFixtures200"];
            304: components["responses"]["NotModified"];
            404: components["responses"]["ExchangeNotAvailableOrRouteNotFound"];
            503: components["responses"]["SportsScreenUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    compareFixture: {
        parameters: {
            query: {
                fixture: string;
                marketType?: components["parameters"]["marketType"];
                period?: components["parameters"]["period"];
                slot?: components["parameters"]["slot"];
                line?: components["parameters"]["line"];
            };
            header?: {
                /** @description The ETag of an earlier response to the same request */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ComparisonAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description ROUTE_NOT_FOUND, SPORTS_BLOCK_NOT_FOUND, SPORTS_FIXTURE_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["SportsScreenUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listSportsFacets: {
        parameters: {
            query?: {
                sport?: components["parameters"]["sport"];
                competition?: components["parameters"]["competition"];
                team?: components["parameters"]["team"];
                venue?: string;
                status?: string;
            };
            header?: {
                /** @description The ETag of an earlier response to the same request */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FacetsAnswer"];
                };
            };
            304: components["responses"]["NotModified"];
            404: components["responses"]["ExchangeNotAvailableOrRouteNotFound"];
            503: components["responses"]["SportsScreenUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listTemplatePairs: {
        parameters: {
            query?: {
                /** @description values above 500 are served as 500 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenTemplatePairListAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            503: components["responses"]["MatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getTemplatePair: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplatePairAnswer"];
                };
            };
            404: components["responses"]["NotFound"];
            503: components["responses"]["MatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    decideTemplatePair: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description From Yes of the first text to Yes of the second: identity and complement make a pair equal
                     * @enum {string}
                     */
                    relation: "identity" | "complement" | "subset" | "superset" | "overlap" | "disjoint";
                    reason?: string;
                    /** @description Who decides; default: the key */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedDecisionAnswer"];
                };
            };
            404: components["responses"]["NotFound"];
            503: components["responses"]["MatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    withdrawTemplateDecision: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    reason?: string;
                    by?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecordedDecisionAnswer"];
                };
            };
            404: components["responses"]["NotFound"];
            503: components["responses"]["MatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listTemplateDecisions: {
        parameters: {
            query?: {
                /** @description values above 500 are served as 500 */
                limit?: number;
                /** @description meta.nextBefore of the page before */
                before?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TemplateDecisionListAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            503: components["responses"]["MatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    importTemplateDecisions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description At most 1048576 bytes */
        requestBody?: {
            content: {
                "application/json": {
                    decisions: components["schemas"]["TemplateDecision"][];
                    /**
                     * @description Also where another decision applies here
                     * @default false
                     */
                    replace?: boolean;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportedDecisionsAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            503: components["responses"]["MatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listPriceDifferences: {
        parameters: {
            query?: {
                /** @description values above 50 are served as 50 */
                limit?: number;
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PriceDifferenceListAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            503: components["responses"]["MatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    reviewPriceDifference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /**
                     * @description pin: the same question, whatever the prices; forbid: different questions; withdraw: neither
                     * @enum {string}
                     */
                    action: "pin" | "forbid" | "withdraw";
                    a: components["schemas"]["MarketReference"];
                    b: components["schemas"]["MarketReference"];
                    reason?: string;
                    /** @description Who decides; recorded with the key */
                    by?: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PairOverrideAnswer"];
                };
            };
            /** @description EXCHANGE_NOT_AVAILABLE, NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["MatchesUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listPositions: {
        parameters: {
            query?: {
                venue?: components["parameters"]["venueOfFetchArbitrage"];
                /** @description needs venue */
                marketId?: string;
                /**
                 * @description open: with shares, or with a payout that is not collected
                 * @example open
                 */
                status?: "open" | "closed" | "all";
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
                /** @example json */
                format?: components["parameters"]["format"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description For csv and parquet: as `asOf` */
                    "X-As-Of"?: string;
                    /** @description For csv and parquet: as `provenance.entries`, separated by commas */
                    "X-Provenance"?: string;
                    /** @description For csv and parquet: as `unavailable`, separated by commas; absent: none */
                    "X-Unavailable"?: string;
                    /** @description For csv and parquet: as `gaps.unexplained.total` */
                    "X-Unexplained-Orders"?: string;
                    /** @description For csv and parquet: as `gaps.unreadable.total` */
                    "X-Unreadable-Fills"?: string;
                    /** @description For csv and parquet: as `gaps.exchanges.total` */
                    "X-Unreadable-Exchanges"?: string;
                    /** @description For csv and parquet; absent: exhausted */
                    "X-Next-Cursor"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioPositionListAnswer"];
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            404: components["responses"]["ExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getPortfolioSummary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioSummaryAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listPortfolioFills: {
        parameters: {
            query?: {
                venue?: components["parameters"]["venueOfFetchArbitrage"];
                /** @description needs venue */
                marketId?: string;
                /**
                 * @description inclusive
                 * @example 2026-11-22T12:00:00Z
                 */
                since?: string;
                /**
                 * @description exclusive
                 * @example 2026-11-22T12:00:00Z
                 */
                until?: string;
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
                /** @example json */
                format?: components["parameters"]["format"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description For csv and parquet: as `asOf` */
                    "X-As-Of"?: string;
                    /** @description For csv and parquet: as `provenance.entries`, separated by commas */
                    "X-Provenance"?: string;
                    /** @description For csv and parquet: as `unavailable`, separated by commas; absent: none */
                    "X-Unavailable"?: string;
                    /** @description For csv and parquet: as `gaps.unexplained.total` */
                    "X-Unexplained-Orders"?: string;
                    /** @description For csv and parquet: as `gaps.unreadable.total` */
                    "X-Unreadable-Fills"?: string;
                    /** @description For csv and parquet: as `gaps.exchanges.total` */
                    "X-Unreadable-Exchanges"?: string;
                    /** @description For csv and parquet; absent: exhausted */
                    "X-Next-Cursor"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioFillListAnswer"];
                    "text/csv": string;
                    "application/vnd.apache.parquet": string;
                };
            };
            404: components["responses"]["ExchangeNotAvailableOrMarketNotFound"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getPortfolioHistory: {
        parameters: {
            query?: {
                /** @example day */
                interval?: "day" | "month";
                /**
                 * @description first day; default: 30 days, or a year, before the last
                 * @example 2026-11-22
                 */
                from?: string;
                /**
                 * @description last day, inclusive; default: today
                 * @example 2026-11-22
                 */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioPeriodListAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getStatement: {
        parameters: {
            query?: {
                /** @example json */
                format?: "json" | "csv";
            };
            header?: never;
            path: {
                /** @example 2026-11 */
                period: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    /** @description For csv and parquet: as `asOf` */
                    "X-As-Of"?: string;
                    /** @description For csv and parquet: as `provenance.entries`, separated by commas */
                    "X-Provenance"?: string;
                    /** @description For csv and parquet: as `unavailable`, separated by commas; absent: none */
                    "X-Unavailable"?: string;
                    /** @description For csv and parquet: as `gaps.unexplained.total` */
                    "X-Unexplained-Orders"?: string;
                    /** @description For csv and parquet: as `gaps.unreadable.total` */
                    "X-Unreadable-Fills"?: string;
                    /** @description For csv and parquet: as `gaps.exchanges.total` */
                    "X-Unreadable-Exchanges"?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioStatementAnswer"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["GetIndex400"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listPortfolioImports: {
        parameters: {
            query?: {
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioImportListAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    createPortfolioImport: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @constant */
                    kind: "position";
                    venue: string;
                    /** @description your own name of it: a ref is entered once per venue */
                    ref: string;
                    /**
                     * Format: date-time
                     * @description when it happened
                     */
                    at: string;
                    marketId: string;
                    outcomeId: string;
                    /** @description default: that of the market */
                    currency?: string;
                    /** @description below zero: a short position, or what undoes an earlier import */
                    size: string;
                    /**
                     * @description of the whole, with the sign of size; null: unknown
                     * @default null
                     */
                    cost?: string | null;
                } | {
                    /** @constant */
                    kind: "transfer";
                    venue: string;
                    /** @description your own name of it: a ref is entered once per venue */
                    ref: string;
                    /**
                     * Format: date-time
                     * @description when it happened
                     */
                    at: string;
                    currency: string;
                    /** @description above zero: paid in, below: paid out */
                    cash: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replay": components["headers"]["Idempotency-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PortfolioImportAnswer"];
                };
            };
            400: components["responses"]["IdempotencyKeyRequiredOrReservedIdempotencyKey"];
            /** @description EXCHANGE_NOT_AVAILABLE, MARKET_NOT_FOUND, OUTCOME_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            409: components["responses"]["IdempotencyConflict"];
            501: components["responses"]["NotSupported"];
            /** @description CATALOG_UNAVAILABLE, EXEC_UNAVAILABLE, PLATFORM_UNAVAILABLE */
            503: {
                headers: {
                    "Retry-After": components["headers"]["Retry-After"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            default: components["responses"]["Metered"];
        };
    };
    reconcilePortfolio: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @description default: those with an account or credentials below */
                    venues?: string[];
                    /**
                     * @description by venue: `{wallet}`, or a list of them; for venues that show accounts to anyone
                     * @default {}
                     */
                    accounts?: {
                        [key: string]: {
                            [key: string]: unknown;
                        } | {
                            [key: string]: unknown;
                        }[];
                    };
                    /**
                     * @description by venue: as for its submit, or a list of them; used for this request, never stored or logged
                     * @default {}
                     */
                    credentials?: {
                        [key: string]: {
                            [key: string]: unknown;
                        } | {
                            [key: string]: unknown;
                        }[];
                    };
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReconciledVenueListAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listRedeemable: {
        parameters: {
            query?: {
                venue?: components["parameters"]["venueOfFetchArbitrage"];
                /** @description the wallet that holds the shares: venues that show wallets to anyone are read, and every body names it */
                wallet?: string;
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RedeemableListAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getExposure: {
        parameters: {
            query?: {
                /** @example group */
                by?: components["schemas"]["ExposureView"];
                /** @description groups with a position there; venues and events of this venue */
                venue?: string;
                /** @description opaque, from nextCursor */
                cursor?: components["parameters"]["cursorOfGetHistoryCoverage"];
                /** @description values above 100 are served as 100 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExposureRowListAnswer"];
                };
            };
            404: components["responses"]["ExchangeNotAvailable"];
            501: components["responses"]["NotSupported"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getRiskLimits: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RiskLimitUseListAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listRiskLimits: {
        parameters: {
            query?: {
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                accountId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredRiskLimitListAnswer"];
                };
            };
            400: components["responses"]["GetIndex400"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    setRiskLimit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    accountId: string;
                    /** Format: uuid */
                    keyId?: string;
                    venue?: string;
                    kind: components["schemas"]["RiskLimitKind"];
                    value: string;
                    /**
                     * @default refuse
                     * @enum {string}
                     */
                    onBreach?: "refuse" | "halt";
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StoredRiskLimitAnswer"];
                };
            };
            /** @description EXCHANGE_NOT_AVAILABLE, NOT_FOUND, VENUE_NOT_SUPPORTED */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    removeRiskLimit: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** Format: uuid */
                    accountId: string;
                    /** Format: uuid */
                    keyId?: string;
                    venue?: string;
                    kind: components["schemas"]["RiskLimitKind"];
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RemoveRiskLimitAnswer"];
                };
            };
            /** @description EXCHANGE_NOT_AVAILABLE, NOT_FOUND, VENUE_NOT_SUPPORTED */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    getPaperAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaperAccountAnswer"];
                };
            };
            403: components["responses"]["PermissionDenied"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    resetPaperAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    /** @constant */
                    confirm: true;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaperAccountAnswer"];
                };
            };
            403: components["responses"]["PermissionDenied"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    depositPaperCash: {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies this intent permanently: repeating the key returns the original result and does nothing twice. Printable ASCII */
                "Idempotency-Key": components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": {
                    venue: string;
                    currency?: string;
                    amount: string;
                };
            };
        };
        responses: {
            /** @description OK */
            200: {
                headers: {
                    "Idempotency-Replay": components["headers"]["Idempotency-Replay"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaperAccountAnswer"];
                };
            };
            400: components["responses"]["IdempotencyKeyRequiredOrReservedIdempotencyKey"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ExchangeNotAvailable"];
            409: components["responses"]["IdempotencyConflict"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    listPaperOrders: {
        parameters: {
            query?: {
                venue?: components["parameters"]["venueOfFetchArbitrage"];
                /** @description only those that work */
                state?: "working";
                cursor?: components["parameters"]["cursor"];
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaperOrderListAnswer"];
                };
            };
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["ExchangeNotAvailable"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    getPaperOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                executionId: components["parameters"]["executionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaperOrderAnswer"];
                };
            };
            403: components["responses"]["PermissionDenied"];
            /** @description PAPER_ORDER_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    cancelPaperOrder: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @example 6c1c1c46-7d3c-4f2a-9a6f-0c8f3f6d2b11 */
                executionId: components["parameters"]["executionId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaperOrderAnswer"];
                };
            };
            403: components["responses"]["PermissionDenied"];
            /** @description PAPER_ORDER_NOT_FOUND */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description PAPER_ORDER_NOT_OPEN */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Keyed"];
        };
    };
    listPaperFills: {
        parameters: {
            query?: {
                /** @example oldest */
                order?: components["parameters"]["order"];
                /** @description nextCursor of the page before, or a fill id */
                cursor?: string;
                limit?: components["parameters"]["limit"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description OK */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PaperFillListAnswer"];
                };
            };
            403: components["responses"]["PermissionDenied"];
            503: components["responses"]["ExecUnavailable"];
            default: components["responses"]["Metered"];
        };
    };
    "on.ingest.run.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event */
                "X-Service-Event": components["parameters"]["XServiceEvent"];
                /** @description Unix seconds when signed; each attempt is signed again */
                "X-Service-Timestamp": components["parameters"]["XServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 over `<timestamp>.<raw body>`, keyed by the UTF-8 bytes of the whole secret */
                "X-Service-Signature": components["parameters"]["XServiceSignature"];
                /** @description Id of the delivery, the same at every attempt */
                "X-Service-Delivery": components["parameters"]["XServiceDelivery"];
                /** @description The same id, for Standard Webhooks */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The same timestamp */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed by the decoded base64 after `whsec_`. Several, separated by spaces, for 24 hours after a rotation */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunCompleted"];
            };
        };
        responses: {
            "2XX": components["responses"]["OnIngestRunCompleted2XX"];
        };
    };
    "on.matcher.run.completed": {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event */
                "X-Service-Event": components["parameters"]["XServiceEvent"];
                /** @description Unix seconds when signed; each attempt is signed again */
                "X-Service-Timestamp": components["parameters"]["XServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 over `<timestamp>.<raw body>`, keyed by the UTF-8 bytes of the whole secret */
                "X-Service-Signature": components["parameters"]["XServiceSignature"];
                /** @description Id of the delivery, the same at every attempt */
                "X-Service-Delivery": components["parameters"]["XServiceDelivery"];
                /** @description The same id, for Standard Webhooks */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The same timestamp */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed by the decoded base64 after `whsec_`. Several, separated by spaces, for 24 hours after a rotation */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunCompleted"];
            };
        };
        responses: {
            "2XX": components["responses"]["OnIngestRunCompleted2XX"];
        };
    };
    "on.execution.status.changed": {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event */
                "X-Service-Event": components["parameters"]["XServiceEvent"];
                /** @description Unix seconds when signed; each attempt is signed again */
                "X-Service-Timestamp": components["parameters"]["XServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 over `<timestamp>.<raw body>`, keyed by the UTF-8 bytes of the whole secret */
                "X-Service-Signature": components["parameters"]["XServiceSignature"];
                /** @description Id of the delivery, the same at every attempt */
                "X-Service-Delivery": components["parameters"]["XServiceDelivery"];
                /** @description The same id, for Standard Webhooks */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The same timestamp */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed by the decoded base64 after `whsec_`. Several, separated by spaces, for 24 hours after a rotation */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ExecutionStatusChanged"];
            };
        };
        responses: {
            "2XX": components["responses"]["OnIngestRunCompleted2XX"];
        };
    };
    "on.execution.cancel_after.lapsed": {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event */
                "X-Service-Event": components["parameters"]["XServiceEvent"];
                /** @description Unix seconds when signed; each attempt is signed again */
                "X-Service-Timestamp": components["parameters"]["XServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 over `<timestamp>.<raw body>`, keyed by the UTF-8 bytes of the whole secret */
                "X-Service-Signature": components["parameters"]["XServiceSignature"];
                /** @description Id of the delivery, the same at every attempt */
                "X-Service-Delivery": components["parameters"]["XServiceDelivery"];
                /** @description The same id, for Standard Webhooks */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The same timestamp */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed by the decoded base64 after `whsec_`. Several, separated by spaces, for 24 hours after a rotation */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CancelAfterLapsed"];
            };
        };
        responses: {
            "2XX": components["responses"]["OnIngestRunCompleted2XX"];
        };
    };
    "on.conditional.triggered": {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event */
                "X-Service-Event": components["parameters"]["XServiceEvent"];
                /** @description Unix seconds when signed; each attempt is signed again */
                "X-Service-Timestamp": components["parameters"]["XServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 over `<timestamp>.<raw body>`, keyed by the UTF-8 bytes of the whole secret */
                "X-Service-Signature": components["parameters"]["XServiceSignature"];
                /** @description Id of the delivery, the same at every attempt */
                "X-Service-Delivery": components["parameters"]["XServiceDelivery"];
                /** @description The same id, for Standard Webhooks */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The same timestamp */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed by the decoded base64 after `whsec_`. Several, separated by spaces, for 24 hours after a rotation */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConditionalStatusChanged"];
            };
        };
        responses: {
            "2XX": components["responses"]["OnIngestRunCompleted2XX"];
        };
    };
    "on.conditional.fired": {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event */
                "X-Service-Event": components["parameters"]["XServiceEvent"];
                /** @description Unix seconds when signed; each attempt is signed again */
                "X-Service-Timestamp": components["parameters"]["XServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 over `<timestamp>.<raw body>`, keyed by the UTF-8 bytes of the whole secret */
                "X-Service-Signature": components["parameters"]["XServiceSignature"];
                /** @description Id of the delivery, the same at every attempt */
                "X-Service-Delivery": components["parameters"]["XServiceDelivery"];
                /** @description The same id, for Standard Webhooks */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The same timestamp */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed by the decoded base64 after `whsec_`. Several, separated by spaces, for 24 hours after a rotation */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConditionalStatusChanged"];
            };
        };
        responses: {
            "2XX": components["responses"]["OnIngestRunCompleted2XX"];
        };
    };
    "on.conditional.fire_failed": {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event */
                "X-Service-Event": components["parameters"]["XServiceEvent"];
                /** @description Unix seconds when signed; each attempt is signed again */
                "X-Service-Timestamp": components["parameters"]["XServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 over `<timestamp>.<raw body>`, keyed by the UTF-8 bytes of the whole secret */
                "X-Service-Signature": components["parameters"]["XServiceSignature"];
                /** @description Id of the delivery, the same at every attempt */
                "X-Service-Delivery": components["parameters"]["XServiceDelivery"];
                /** @description The same id, for Standard Webhooks */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The same timestamp */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed by the decoded base64 after `whsec_`. Several, separated by spaces, for 24 hours after a rotation */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConditionalStatusChanged"];
            };
        };
        responses: {
            "2XX": components["responses"]["OnIngestRunCompleted2XX"];
        };
    };
    "on.conditional.expired": {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event */
                "X-Service-Event": components["parameters"]["XServiceEvent"];
                /** @description Unix seconds when signed; each attempt is signed again */
                "X-Service-Timestamp": components["parameters"]["XServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 over `<timestamp>.<raw body>`, keyed by the UTF-8 bytes of the whole secret */
                "X-Service-Signature": components["parameters"]["XServiceSignature"];
                /** @description Id of the delivery, the same at every attempt */
                "X-Service-Delivery": components["parameters"]["XServiceDelivery"];
                /** @description The same id, for Standard Webhooks */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The same timestamp */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed by the decoded base64 after `whsec_`. Several, separated by spaces, for 24 hours after a rotation */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConditionalStatusChanged"];
            };
        };
        responses: {
            "2XX": components["responses"]["OnIngestRunCompleted2XX"];
        };
    };
    "on.webhook.test": {
        parameters: {
            query?: never;
            header: {
                /** @description Name of the event */
                "X-Service-Event": components["parameters"]["XServiceEvent"];
                /** @description Unix seconds when signed; each attempt is signed again */
                "X-Service-Timestamp": components["parameters"]["XServiceTimestamp"];
                /** @description Lower-case hex HMAC-SHA256 over `<timestamp>.<raw body>`, keyed by the UTF-8 bytes of the whole secret */
                "X-Service-Signature": components["parameters"]["XServiceSignature"];
                /** @description Id of the delivery, the same at every attempt */
                "X-Service-Delivery": components["parameters"]["XServiceDelivery"];
                /** @description The same id, for Standard Webhooks */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description The same timestamp */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description Standard Webhooks: `v1,` and the base64 of HMAC-SHA256 over `<webhook-id>.<webhook-timestamp>.<raw body>`, keyed by the decoded base64 after `whsec_`. Several, separated by spaces, for 24 hours after a rotation */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookTest"];
            };
        };
        responses: {
            "2XX": components["responses"]["OnIngestRunCompleted2XX"];
        };
    };
}
