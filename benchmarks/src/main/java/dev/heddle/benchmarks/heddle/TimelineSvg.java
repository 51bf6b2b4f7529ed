package dev.heddle.benchmarks.heddle;

import java.util.List;
import java.util.Locale;

/**
 * An SVG of the times at which jobs started again after a crash: the first seconds next to the whole time, one dot per
 * job.
 *
 * @param starts ordered by time
 */
record TimelineSvg(List<Start> starts) {

    private static final int TOP = 64;
    private static final int HEIGHT = 300;

    /**
     * One job.
     *
     * @param millis since the new node began to open
     * @param checkpoint whether the job had saved a checkpoint
     */
    record Start(long millis, boolean checkpoint) {}

    /** One of the two charts: its left edge, its width, and the seconds that it covers. */
    private record Panel(int left, int width, int seconds, int tick, String unit, int perUnit) {

        double x(double atSecond) {
            return left + width * atSecond / seconds;
        }
    }

    private static final Panel FIRST = new Panel(60, 300, 12, 1, "s", 1);
    private static final Panel WHOLE = new Panel(420, 460, 900, 60, "min", 60);

    String svg() {
        StringBuilder svg = new StringBuilder("""
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 920 430" font-family="sans-serif" font-size="12">
                <title>Jobs of a killed node start again</title>
                <rect width="920" height="430" fill="#ffffff"/>
                """);
        text(svg, 60, 24, "#222222", starts.size()
                + " jobs ran when their node was killed. Each dot is one of them starting again on the next node.");
        text(svg, 60, 44, "#222222", "first at once, then one a second (warm), then spread to 15 min (slow)");
        for (Panel panel : List.of(FIRST, WHOLE)) {
            draw(svg, panel);
        }
        circle(svg, 640, 412, true);
        text(svg, 650, 416, "#222222", "had a checkpoint");
        circle(svg, 770, 412, false);
        text(svg, 780, 416, "#222222", "had none");
        return svg.append("</svg>\n").toString();
    }

    private void draw(StringBuilder svg, Panel panel) {
        band(svg, panel, 0, 10, "#fff3d6", "warm");
        band(svg, panel, 10, panel.seconds, "#e8f1fb", "slow");
        for (int second = 0; second <= panel.seconds; second += panel.tick) {
            line(svg, panel.x(second), TOP + HEIGHT, panel.x(second), TOP + HEIGHT + 5);
            if (second % (panel.tick * (panel.perUnit == 1 ? 2 : 3)) == 0) {
                text(svg, panel.x(second) - 4, TOP + HEIGHT + 20, "#222222", String.valueOf(second / panel.perUnit));
            }
        }
        text(svg, panel.x(panel.seconds) - 20, TOP + HEIGHT + 36, "#222222", panel.unit);
        line(svg, panel.left, TOP, panel.left, TOP + HEIGHT);
        line(svg, panel.left, TOP + HEIGHT, panel.left + panel.width, TOP + HEIGHT);
        text(svg, panel.left - 30, TOP + 10, "#222222", String.valueOf(starts.size()));
        text(svg, panel.left - 30, TOP + HEIGHT, "#222222", "1");
        for (int i = 0; i < starts.size(); i++) {
            double second = starts.get(i).millis / 1_000.0;
            if (second <= panel.seconds) {
                circle(svg, panel.x(second), y(i), starts.get(i).checkpoint);
            }
        }
    }

    private double y(int place) {
        return TOP + HEIGHT - 6 - (HEIGHT - 12.0) * place / Math.max(1, starts.size() - 1);
    }

    private static void band(StringBuilder svg, Panel panel, int from, int to, String colour, String name) {
        svg.append(String.format(Locale.ROOT, "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>%n",
                panel.x(from), TOP, panel.x(to) - panel.x(from), HEIGHT, colour));
        if (panel.x(to) - panel.x(from) > 30) {
            text(svg, panel.x(from) + 4, TOP + 14, "#888888", name);
        }
    }

    private static void line(StringBuilder svg, double x1, double y1, double x2, double y2) {
        svg.append(String.format(Locale.ROOT,
                "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#222222\"/>%n", x1, y1, x2, y2));
    }

    private static void circle(StringBuilder svg, double x, double y, boolean filled) {
        svg.append(
                String.format(Locale.ROOT, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" stroke=\"#1f5fa8\" fill=\"%s\"/>%n",
                        x, y, filled ? "#1f5fa8" : "#ffffff"));
    }

    private static void text(StringBuilder svg, double x, double y, String colour, String words) {
        svg.append(
                String.format(Locale.ROOT, "<text x=\"%.1f\" y=\"%.1f\" fill=\"%s\">%s</text>%n", x, y, colour, words));
    }
}
