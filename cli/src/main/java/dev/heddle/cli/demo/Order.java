package dev.heddle.cli.demo;

import java.util.List;

import dev.heddle.job.JobType;

/** The payload of a job with three steps, each of which should run once. */
record Order(String name) {

    static final JobType<Order, Void> TYPE = JobType.of("order", Order.class, Void.class);
    static final String QUEUE = "orders";
    static final List<String> STEPS = List.of("reserve", "charge", "ship");
}
