package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

import dev.heddle.access.AccessStore;
import dev.heddle.access.AccessToken;
import dev.heddle.access.Actor;
import dev.heddle.access.AuditEntry;
import dev.heddle.access.AuditQuery;
import dev.heddle.access.AuditStore;
import dev.heddle.access.Role;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The tables {@code access_token} and {@code audit} of a store. */
record SqlAccess(SqlStore store) implements AccessStore, AuditStore {

    private static final Logger LOG = LoggerFactory.getLogger(SqlAccess.class);
    private static final String INSERT_TOKEN = """
            INSERT INTO heddle.access_token (name, role, hash, hint, created_by, created_at, expires_at, used_at)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (name) DO NOTHING""";
    private static final String INSERT_ENTRY = """
            INSERT INTO heddle.audit (at, actor_kind, actor, address, operation, target, count, outcome, detail)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)""";
    private static final String SELECT_ENTRIES = """
            SELECT seq, at, actor_kind, actor, address, operation, target, count, outcome, detail FROM heddle.audit""";
    private static final String DELETE_OLD = """
            DELETE FROM heddle.audit
            WHERE seq IN (SELECT seq FROM heddle.audit WHERE at < ? ORDER BY at, seq LIMIT ?)""";
    private static final String DELETE_SURPLUS = """
            DELETE FROM heddle.audit
            WHERE seq IN (SELECT seq FROM heddle.audit WHERE seq <= (SELECT max(seq) FROM heddle.audit) - ?
                          ORDER BY seq LIMIT ?)""";

    @Override
    public boolean addToken(AccessToken token) {
        return store.write(tx -> tx.update(INSERT_TOKEN, token.name(), token.role(), token.hash(), token.hint(),
                token.createdBy(), token.createdAt(), token.expiresAt(), token.usedAt())) == 1;
    }

    @Override
    public boolean removeToken(String name) {
        return store.write(tx -> tx.update("DELETE FROM heddle.access_token WHERE name = ?", name)) == 1;
    }

    @Override
    public List<AccessToken> tokens() {
        return store.read(SqlAccess::tokens);
    }

    private static List<AccessToken> tokens(Tx tx) throws SQLException {
        List<AccessToken> tokens = new ArrayList<>();
        try (ResultSet rows = tx.query("""
                SELECT name, role, hash, hint, created_by, created_at, expires_at, used_at
                FROM heddle.access_token""")) {
            while (rows.next()) {
                token(rows).ifPresent(tokens::add);
            }
        }
        // Sorted here because the two databases collate text differently.
        tokens.sort(Comparator.comparing(AccessToken::name));
        return tokens;
    }

    /** A damaged row is no token: it must not let anybody in, nor keep the others out. */
    private static Optional<AccessToken> token(ResultSet row) throws SQLException {
        try {
            return Optional.of(new AccessToken(row.getString(1), Role.parse(row.getString(2)), row.getString(3),
                    row.getString(4), row.getString(5), Rows.instant(row, 6), Rows.time(row, 7), Rows.time(row, 8)));
        } catch (RuntimeException e) {
            LOG.warn("Ignoring a damaged token ({}): {}", row.getString(1), e.getMessage());
            return Optional.empty();
        }
    }

    @Override
    public void recordUses(Map<String, Instant> uses) {
        store.write(tx -> {
            tx.batch("""
                    UPDATE heddle.access_token SET used_at = ?
                    WHERE hash = ? AND (used_at IS NULL OR used_at < ?)""", List.copyOf(uses.entrySet()),
                    use -> new Object[]{use.getValue(), use.getKey(), use.getValue()});
            return uses;
        });
    }

    @Override
    public void append(List<AuditEntry> entries) {
        store.write(tx -> {
            tx.batch(INSERT_ENTRY, entries,
                    entry -> new @Nullable Object[]{entry.at(), entry.actor().kind(), entry.actor().name(),
                        entry.actor().address(), entry.operation(), entry.target(), entry.count(), entry.outcome(),
                        entry.detail()});
            return entries;
        });
    }

    @Override
    public List<AuditEntry> entries(AuditQuery query) {
        List<String> conditions = new ArrayList<>();
        List<Object> parameters = new ArrayList<>();
        add("actor_kind = ?", query.kind(), conditions, parameters);
        add("actor = ?", query.name(), conditions, parameters);
        add("operation = ?", query.operation(), conditions, parameters);
        add("target = ?", query.target(), conditions, parameters);
        add("outcome = ?", query.outcome(), conditions, parameters);
        add("at >= ?", query.from(), conditions, parameters);
        add("at < ?", query.until(), conditions, parameters);
        AuditQuery.Position before = query.before();
        if (before != null) {
            add("(at, seq) < (?, ?)", before.at(), conditions, parameters);
            parameters.add(before.seq());
        }
        String where = conditions.stream().collect(Collectors.joining(" AND ", " WHERE ", ""));
        parameters.add(query.limit());
        String sql = SELECT_ENTRIES + (conditions.isEmpty() ? "" : where) + " ORDER BY at DESC, seq DESC LIMIT ?";
        return store.read(tx -> entries(tx, sql, parameters));
    }

    private static void add(String condition, @Nullable Object value, List<String> conditions,
            List<Object> parameters) {
        if (value != null) {
            conditions.add(condition);
            parameters.add(value);
        }
    }

    private static List<AuditEntry> entries(Tx tx, String sql, List<Object> parameters) throws SQLException {
        List<AuditEntry> entries = new ArrayList<>();
        try (ResultSet rows = tx.query(sql, parameters.toArray())) {
            while (rows.next()) {
                entries.add(new AuditEntry(rows.getLong(1), Rows.instant(rows, 2),
                        new Actor(Actor.Kind.valueOf(rows.getString(3)), rows.getString(4), rows.getString(5)),
                        rows.getString(6), rows.getString(7), rows.getLong(8),
                        AuditEntry.Outcome.valueOf(rows.getString(9)), rows.getString(10)));
            }
        }
        return entries;
    }

    @Override
    public int deleteEntries(Instant before, long kept, int limit) {
        return store.write(tx -> {
            int old = tx.update(DELETE_OLD, before, limit);
            return old == limit ? old : old + tx.update(DELETE_SURPLUS, kept, limit - old);
        });
    }
}
