package dev.heddle.sql;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import dev.heddle.store.StoreException;
import dev.heddle.store.StoreException.Kind;

/**
 * The scripts that bring a store to the schema of this version, and the store's record of them. Each store has its own
 * script for every step, a resource beside its classes.
 *
 * <p>A landed script is never edited, because it has already run somewhere: a change is a new step. The table
 * {@code schema_version} has the fingerprint of every script that ran, so a store that was migrated by other scripts
 * under the same numbers is refused instead of failing later. Stores from before {@code 005_fingerprints.sql} have
 * none: in their time the first script was still edited, so they may lack columns and tables, which have to be added.
 */
public final class MigrationScripts {

    /** In order. */
    private static final List<String> STEPS = List.of("001_initial.sql", "002_headers.sql", "003_dropped_sessions.sql",
            "004_quick_lists.sql", "005_fingerprints.sql", "006_suspicion.sql", "007_due_after.sql",
            "008_submitted_at.sql", "009_limits.sql", "010_schedules.sql",
            "011_node_status.sql", "012_rate_refunds.sql", "013_dedupe_modes.sql", "014_counts.sql",
            "015_access.sql", "016_statistics.sql", "017_queries.sql", "018_limit_entry.sql", "019_logs.sql",
            "020_events.sql");
    private static final int FINGERPRINTS = 5;

    private final Class<?> store;

    /**
     * Finds the scripts of a store.
     *
     * @param store a class of the store
     */
    public MigrationScripts(Class<?> store) {
        this.store = store;
    }

    /** Returns the number of steps, which is the version of a complete schema. */
    public static int latest() {
        return STEPS.size();
    }

    /** Returns the name of the script of a step. */
    static String name(int step) {
        return STEPS.get(step - 1);
    }

    /**
     * Returns the SQL of a step.
     *
     * @param step the number of the step, from 1
     */
    public String read(int step) {
        return read(name(step));
    }

    /** Returns the SQL of a resource beside the scripts. */
    public String read(String name) {
        try (InputStream in = Objects.requireNonNull(store.getResourceAsStream(name), name)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("\r\n", "\n");
        } catch (IOException e) {
            throw new IllegalStateException("cannot read " + name, e);
        }
    }

    /** Returns whether a store of this version was created by the first script, or by an earlier form of it. */
    public static boolean mayLackParts(int version) {
        return version > 0 && version < FINGERPRINTS;
    }

    /**
     * Returns the SQL of the first step for a store that has some of its tables, indexes, triggers and views.
     *
     * @param createView how this database creates a view that may exist
     */
    public String readMissing(String createView) {
        return read(1)
                .replaceAll("CREATE (TABLE|INDEX|UNIQUE INDEX|VIRTUAL TABLE|TRIGGER) ", "CREATE $1 IF NOT EXISTS ")
                .replace("CREATE VIEW", createView);
    }

    /** Returns the SHA-256 of the script of a step, in hexadecimal. */
    String fingerprint(int step) {
        try {
            return HexFormat.of().formatHex(
                    MessageDigest.getInstance("SHA-256").digest(read(step).getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /**
     * Returns the version of a store if this Heddle can work on it or migrate it.
     *
     * @param place the store, for messages
     * @param version the number of its last step
     * @throws StoreException if a newer Heddle, or one with other scripts, has migrated it
     */
    public int requireKnown(Tx tx, String place, int version) throws SQLException {
        if (version > latest()) {
            throw new StoreException(Kind.FOREIGN, place + " has schema version " + version
                    + ", but this Heddle supports versions up to " + latest() + "; use a newer Heddle");
        }
        if (version >= FINGERPRINTS) {
            requireSameScripts(tx, place, version);
        }
        return version;
    }

    private void requireSameScripts(Tx tx, String place, int version) throws SQLException {
        String[] recorded = new String[version];
        try (ResultSet rows = tx.query("SELECT version, fingerprint FROM heddle.schema_version")) {
            while (rows.next()) {
                recorded[rows.getInt(1) - 1] = rows.getString(2);
            }
        }
        for (int step = 1; step <= version; step++) {
            if (!fingerprint(step).equals(recorded[step - 1])) {
                throw new StoreException(Kind.FOREIGN, place + " was migrated by a different build of Heddle: its step "
                        + name(step) + " is not the one of this build; use that build, or restore a backup");
            }
        }
    }

    /** Records that all steps have run. */
    public void record(Tx tx) throws SQLException {
        tx.batch("""
                INSERT INTO heddle.schema_version (version, fingerprint) VALUES (?, ?)
                ON CONFLICT (version) DO UPDATE SET fingerprint = excluded.fingerprint""",
                IntStream.rangeClosed(1, latest()).boxed().toList(), step -> new Object[]{step, fingerprint(step)});
    }
}
