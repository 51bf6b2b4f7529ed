package dev.heddle.cli.demo;

/** An expectation of the demo and the actual value. */
record Check(String scenario, String expected, String actual) {

    boolean ok() {
        return expected.equals(actual);
    }

    String failureMessage() {
        return scenario + " (expected " + expected + ", was " + actual + ")";
    }
}
