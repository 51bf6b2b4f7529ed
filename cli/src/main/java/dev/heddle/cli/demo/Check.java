package dev.heddle.cli.demo;

/** Something the demo expected and what it saw instead, or alike. */
record Check(String scenario, String expected, String seen) {

    boolean ok() {
        return expected.equals(seen);
    }

    String complaint() {
        return scenario + " (expected " + expected + ", seen " + seen + ")";
    }
}
