package dev.heddle.sql;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import dev.heddle.stats.LogHistogram;
import dev.heddle.stats.StatsSlice;
import dev.heddle.stats.StatsWindow;
import org.jspecify.annotations.Nullable;

/** The table {@code stats_slice}. */
final class StatsRows {

    private static final String MERGED = "";
    private static final String COLUMNS = "type, queue, start, length_ms, completed, failed, dead, waits, runs";
    private static final Comparator<StatsSlice> ORDER = Comparator.comparing(StatsSlice::start)
            .thenComparing(StatsSlice::type).thenComparing(StatsSlice::queue);

    private StatsRows() {}

    /** Writes in a fixed order, so that no two transactions wait for each other's rows. */
    static void save(Tx tx, String source, List<StatsSlice> slices) throws SQLException {
        tx.batch("INSERT INTO heddle.stats_slice (" + COLUMNS + ", source) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)" + """
                ON CONFLICT (start, length_ms, type, queue, source) DO UPDATE SET completed = excluded.completed,
                    failed = excluded.failed, dead = excluded.dead, waits = excluded.waits, runs = excluded.runs""",
                slices.stream().sorted(ORDER).toList(),
                slice -> new Object[]{slice.type(), slice.queue(), slice.start(), slice.length().toMillis(),
                    slice.completed(), slice.failed(), slice.dead(), slice.waits().encode(), slice.runs().encode(),
                    source});
    }

    static List<StatsSlice> since(Tx tx, Instant since, @Nullable String type, @Nullable String queue)
            throws SQLException {
        List<Object> parameters = new ArrayList<>(List.of(since));
        String filter = "";
        if (type != null) {
            filter += " AND type = ?";
            parameters.add(type);
        }
        if (queue != null) {
            filter += " AND queue = ?";
            parameters.add(queue);
        }
        return read(tx.query("SELECT " + COLUMNS + " FROM heddle.stats_slice WHERE start >= ?" + filter
                + " ORDER BY start", parameters.toArray()));
    }

    /** Merges what is old, unless another node is doing so. */
    static void merge(Tx tx, Instant now) throws SQLException {
        if (!tx.dialect().mayFoldCounts(tx)) {
            return;
        }
        for (StatsWindow window : StatsWindow.values()) {
            String old = " FROM heddle.stats_slice WHERE length_ms = ? AND start < ?";
            long length = window.slice().toMillis();
            Instant before = window.mergedBefore(now);
            Optional<StatsWindow> coarser = window.coarser();
            if (coarser.isPresent()) {
                List<StatsSlice> slices = read(tx.query("SELECT " + COLUMNS + old, length, before));
                if (slices.isEmpty()) {
                    continue;
                }
                save(tx, MERGED, coarser.get().merge(Stream.concat(slices.stream(),
                        read(tx.query("SELECT " + COLUMNS + old
                                + " AND start >= ?", coarser.get().slice().toMillis(), before,
                                StatsWindow.startOf(slices.stream().map(StatsSlice::start)
                                        .min(Comparator.naturalOrder()).orElseThrow(), coarser.get().slice())))
                                .stream())
                        .toList()));
            }
            tx.update("DELETE" + old, length, before);
        }
    }

    private static List<StatsSlice> read(ResultSet opened) throws SQLException {
        List<StatsSlice> slices = new ArrayList<>();
        try (ResultSet row = opened) {
            while (row.next()) {
                slices.add(new StatsSlice(row.getString(1), row.getString(2), Rows.instant(row, 3),
                        Duration.ofMillis(row.getLong(4)), row.getLong(5), row.getLong(6), row.getLong(7),
                        histogram(row.getString(8)), histogram(row.getString(9))));
            }
        }
        return slices;
    }

    /** A damaged histogram counts as empty, so that it does not hide the others. */
    private static LogHistogram histogram(String text) {
        try {
            return LogHistogram.decode(text);
        } catch (IllegalArgumentException e) {
            return new LogHistogram();
        }
    }
}
