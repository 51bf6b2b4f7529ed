package dev.heddle.stats;

import java.time.Duration;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * How often durations of about some length occurred. Each bucket is a tenth longer than the one before, so a percentile
 * is wrong by at most 5 %, and histograms of different times and nodes can be added. Takes a few hundred buckets at
 * most, from a microsecond to years. Not safe for use by many threads.
 */
public final class LogHistogram {

    private static final double GROWTH = 1.1;
    private static final double LOG_GROWTH = Math.log(GROWTH);
    /** The index of all durations that are longer, of some hundred years. */
    private static final int LAST = 500;

    private final TreeMap<Integer, Long> buckets = new TreeMap<>();
    private long count;

    /** Adds a duration; one below a microsecond counts as zero. */
    public void add(Duration duration) {
        long micros = duration.isNegative() ? 0 : duration.getSeconds() * 1_000_000 + duration.getNano() / 1_000;
        add(index(micros), 1);
    }

    private void add(int index, long times) {
        buckets.merge(index, times, Long::sum);
        count += times;
    }

    /** Adds what another histogram has. */
    public void add(LogHistogram other) {
        other.buckets.forEach(this::add);
    }

    /** Returns how many durations were added. */
    public long count() {
        return count;
    }

    /**
     * Returns the duration that this share of all durations does not exceed, wrong by at most 5 %; zero if there are
     * none.
     *
     * @param share from 0 to 1, such as 0.95
     */
    public Duration quantile(double share) {
        long wanted = Math.max(1, (long) Math.ceil(share * count));
        long seen = 0;
        for (Map.Entry<Integer, Long> bucket : buckets.entrySet()) {
            seen += bucket.getValue();
            if (seen >= wanted) {
                return middle(bucket.getKey());
            }
        }
        return Duration.ZERO;
    }

    /** Zero has a bucket of its own. */
    private static int index(long micros) {
        return micros <= 0 ? 0 : Math.min(LAST, 1 + (int) Math.floor(Math.log((double) micros) / LOG_GROWTH));
    }

    /** Returns the value that is equally wrong for both ends of a bucket. */
    private static Duration middle(int index) {
        if (index == 0) {
            return Duration.ZERO;
        }
        double low = Math.pow(GROWTH, index - 1);
        return Duration.ofNanos(Math.round(low * 2 * GROWTH / (1 + GROWTH) * 1_000));
    }

    /** Returns the buckets as text, for storing. */
    public String encode() {
        StringJoiner text = new StringJoiner(" ");
        buckets.forEach((index, times) -> text.add(index + ":" + times));
        return text.toString();
    }

    /**
     * Reads what {@link #encode} has written.
     *
     * @throws IllegalArgumentException if it is something else
     */
    public static LogHistogram decode(String text) {
        LogHistogram histogram = new LogHistogram();
        if (!text.isEmpty()) {
            for (String bucket : text.split(" ", -1)) {
                int colon = bucket.indexOf(':');
                if (colon < 0) {
                    throw new IllegalArgumentException("not a bucket: '" + bucket + "'");
                }
                histogram.add(Integer.parseInt(bucket, 0, colon, 10),
                        Long.parseLong(bucket, colon + 1, bucket.length(), 10));
            }
        }
        return histogram;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LogHistogram that && buckets.equals(that.buckets);
    }

    @Override
    public int hashCode() {
        return buckets.hashCode();
    }

    @Override
    public String toString() {
        return count + " durations, p50 " + quantile(0.5) + ", p95 " + quantile(0.95);
    }
}
