import com.yahoo.labs.samoa.instances.Attribute;
import com.yahoo.labs.samoa.instances.DenseInstance;
import com.yahoo.labs.samoa.instances.Instances;
import com.yahoo.labs.samoa.instances.InstancesHeader;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.stream.IntStream;
import moa.classifiers.trees.HoeffdingTree;
import moa.core.Utils;

/**
 * Lets MOA's Hoeffding tree predict and then learn each example of a file, float64 in little-endian order, the
 * class last. Arguments: the file; one for the classes; the numbers of values of the columns and of classes, 0
 * for a numeric column, separated by commas; options of the tree. Prints the number of leaves, and the CPU
 * seconds of the first and of the second half.
 */
public class Hoeffding {
    public static void main(String[] arguments) throws Exception {
        var sizes = arguments[2].split(",");
        var attributes = new ArrayList<Attribute>();
        for (var size : sizes) {
            var values = IntStream.range(0, Integer.parseInt(size)).mapToObj(String::valueOf).toList();
            var name = "a" + attributes.size();
            attributes.add(values.isEmpty() ? new Attribute(name) : new Attribute(name, values));
        }
        var header = new InstancesHeader(new Instances("stream", attributes, 0));
        header.setClassIndex(sizes.length - 1);
        var tree = new HoeffdingTree();
        tree.getOptions().setViaCLIString(arguments[3]);
        tree.setModelContext(header);
        tree.prepareForUse();

        ByteBuffer bytes;
        try (var file = FileChannel.open(Path.of(arguments[0]))) {
            bytes = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()).order(ByteOrder.LITTLE_ENDIAN);
        }
        var numbers = bytes.asDoubleBuffer();
        int n = numbers.remaining() / sizes.length;
        var predicted = new byte[n];
        var seconds = new double[3];
        for (int i = 0; i < n; i++) {
            if (i == 0 || i == n / 2) {
                seconds[i == 0 ? 0 : 1] = cpuSeconds();
            }
            var values = new double[sizes.length];
            numbers.get(values);
            var example = new DenseInstance(1.0, values);
            example.setDataset(header);
            predicted[i] = (byte) Utils.maxIndex(tree.getVotesForInstance(example));
            tree.trainOnInstance(example);
        }
        seconds[2] = cpuSeconds();
        Files.write(Path.of(arguments[1]), predicted);
        long leaves = 0;
        for (var measurement : tree.getModelMeasurements()) {
            if (measurement.getName().equals("tree size (leaves)")) {
                leaves = (long) measurement.getValue();
            }
        }
        System.out.println(leaves + " " + (seconds[1] - seconds[0]) + " " + (seconds[2] - seconds[1]));
    }

    static double cpuSeconds() {
        return java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() / 1e9;
    }
}
