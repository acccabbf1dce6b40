// Systems in space, by three.js: robots from the frames of their links, rigid bodies as shapes, contact planes, arrows
// for forces; joints and contacts have the colour of stick or slip.
import * as THREE from 'three';
import {OrbitControls} from 'three/examples/jsm/controls/OrbitControls.js';
import {addMeshes, isCovered, isDrawn, reachOfMeshes} from './meshes.js';
import {add, reachOf, rotate, shapeOf} from './motion.js';
import {colour} from './palette.js';
import {solid} from './solid.js';

const UP = new THREE.Vector3(0, 1, 0); // a cylinder's own axis

export class SpaceDrawing {
  constructor(host, motion, clock) {
    this.host = host;
    this.motion = motion;
    this.clock = clock;
    this.renderer = new THREE.WebGLRenderer({antialias: true, alpha: true}); // throws where there is no WebGL
    this.renderer.domElement.setAttribute('role', 'img');
    this.renderer.domElement.setAttribute('aria-label', 'Replay of the system in space; drag to turn, wheel to zoom');
    host.append(this.renderer.domElement);
    this.world = new THREE.Scene();
    this.parts = [];
    this.measure();
    this.light();
    motion.bodies.forEach((body, index) => this.addBody(body, index));
    motion.shapes.filter(shape => !isCovered(motion.meshes, shape)).forEach(shape => this.addShape(shape));
    addMeshes(this);
    motion.elements.forEach(one => this.addElement(one));
    motion.pushing.forEach((one, index) => this.addForce(one, index));
    this.addGround();
    this.look();
    this.paint = this.paint.bind(this);
    this.observer = new ResizeObserver(this.paint);
    this.observer.observe(host);
  }

  // Where the eye was is remembered for the drawing that takes its place.
  dispose() {
    this.motion.eye = this.camera.position.clone().sub(this.controls.target).normalize();
    this.observer.disconnect();
    this.controls.dispose();
    this.renderer.dispose();
    this.renderer.forceContextLoss();
  }

  measure() {
    const {low, high} = this.motion.bounds();
    const shapes = this.motion.bodies.map((body, i) => shapeOf(this.motion, i));
    const size = Math.max(0, ...shapes.map(shape => shape.reach || shape.sphere || Math.max(...(shape.box || [0]))));
    for (const body of this.motion.bodies)
      for (const link of body.tree || []) this.reach = Math.max(this.reach || 0, 2 * Math.hypot(...link.centre));
    const margin = Math.max(size, this.reach || 0, reachOfMeshes(this.motion.meshes));
    this.centre = new THREE.Vector3(...low.map((value, k) => (value + high[k]) / 2));
    this.size = Math.max(Math.hypot(...high.map((value, k) => value - low[k])) + 2 * margin, 1e-6);
    this.low = low[2] - margin;
    this.thick = 0.035 * Math.min(this.size, this.extent(this.motion.at(this.clock.t)) + 2 * margin);
  }

  // How large the system is at a moment.
  extent(moment) {
    const places = this.motion.bodies.flatMap((body, i) => Array.from({length: body.drawn ?? body.links}, (_, k) => this.motion.pose(i, k, moment).p));
    return Math.hypot(...[0, 1, 2].map(k => Math.max(...places.map(p => p[k])) - Math.min(...places.map(p => p[k]))));
  }

  light() {
    this.world.add(new THREE.HemisphereLight(0xffffff, 0x8a94a0, 2.2));
    const sun = new THREE.DirectionalLight(0xffffff, 1.6);
    sun.position.set(1, -2, 3);
    this.world.add(sun);
  }

  material(name) {
    const material = new THREE.MeshStandardMaterial({roughness: 0.6, metalness: 0.05});
    this.parts.push(() => material.color.set(colour(name)));
    return material;
  }

  addBody(body, index) {
    if (body.tree || body.links > 1) return this.addTree(body, index);
    const shape = shapeOf(this.motion, index);
    if (shape.shapes) return;
    const geometry = shape.box ? new THREE.BoxGeometry(...shape.box)
      : new THREE.SphereGeometry(shape.sphere || 0.6 * this.thick, 32, 20);
    const mesh = new THREE.Mesh(geometry, this.material('body'));
    if (shape.sphere) this.addStripes(mesh, shape.sphere);
    if (shape.box) mesh.add(new THREE.LineSegments(new THREE.EdgesGeometry(geometry), new THREE.LineBasicMaterial({color: 0x222222})));
    this.world.add(mesh);
    this.parts.push((t, moment) => this.place(mesh, this.motion.pose(index, 0, moment)));
  }

  // Of links they are seen through, so that their joints show whether they stick.
  addShape(shape) {
    if (shape.kind === 'plane') return this.addPlane({b: {body: shape.body, p: shape.p, q: shape.q}});
    const tree = shape.body >= 0 && this.motion.bodies[shape.body].links > 1, material = this.material(shape.body < 0 ? 'ground' : 'body');
    if (tree) Object.assign(material, {transparent: true, opacity: 0.55, depthWrite: false});
    const mesh = solid(shape, material);
    if (!mesh) return;
    if (shape.kind === 'sphere' && !tree) this.addStripes(mesh, shape.radius);
    const link = new THREE.Group();
    link.add(mesh);
    this.world.add(link);
    if (shape.body >= 0) this.parts.push((t, moment) => this.place(link, this.motion.pose(shape.body, shape.link, moment)));
  }

  // So that one sees it turn.
  addStripes(mesh, radius) {
    const ring = new THREE.TorusGeometry(radius, 0.03 * radius, 8, 48), ink = this.material('ink');
    for (const turn of [[0, 0, 0], [Math.PI / 2, 0, 0], [0, Math.PI / 2, 0]]) {
      const stripe = new THREE.Mesh(ring, ink);
      stripe.rotation.set(...turn);
      mesh.add(stripe);
    }
  }

  addTree(body, index) {
    for (let link = 0; link < body.links; ++link) {
      const tree = body.tree ? body.tree[link] : null;
      this.addJoint(body, index, link, tree);
      const children = body.tree ? body.tree.map((one, i) => (one.parent === link ? i : -1)).filter(i => i >= 0) : [];
      if (isDrawn(this.motion.meshes, index, link)) continue; // rods would stand inside
      for (const child of children) this.addRod(moment => [this.motion.pose(index, link, moment).p, this.motion.pose(index, child, moment).p]);
      if (children.length === 0 && tree && Math.hypot(...tree.centre) > 0)
        this.addRod(moment => {
          const {p, q} = this.motion.pose(index, link, moment);
          return [p, add(p, rotate(q, tree.centre.map(value => 2 * value)))];
        });
    }
  }

  addRod(ends) {
    const rod = new THREE.Mesh(new THREE.CylinderGeometry(0.55 * this.thick, 0.55 * this.thick, 1, 16), this.material('body'));
    this.world.add(rod);
    const a = new THREE.Vector3(), b = new THREE.Vector3(), along = new THREE.Vector3();
    this.parts.push((t, moment) => {
      const [from, to] = ends(moment);
      a.set(...from);
      b.set(...to);
      along.subVectors(b, a);
      const length = along.length();
      rod.visible = length > 1e-3 * this.thick;
      rod.position.addVectors(a, b).multiplyScalar(0.5);
      rod.quaternion.setFromUnitVectors(UP, along.divideScalar(length || 1));
      rod.scale.set(1, length, 1);
    });
  }

  // A drum about the axis of a hinge, a ball elsewhere; the arrow along the axis is the friction torque.
  addJoint(body, index, link, tree) {
    const hinge = tree && tree.joint === 'revolute';
    const thick = (body.links > 6 ? 0.6 : 1) * this.thick; // of many joints large drums would bury the links
    const geometry = hinge ? new THREE.CylinderGeometry(thick, thick, 2.2 * thick, 24) : new THREE.SphereGeometry(0.8 * thick, 20, 14);
    const mesh = new THREE.Mesh(geometry, new THREE.MeshStandardMaterial({roughness: 0.5}));
    const axis = new THREE.Vector3(...(tree ? tree.axis : [0, 0, 1])).normalize();
    const turn = new THREE.Quaternion().setFromUnitVectors(UP, axis);
    const own = tree && this.motion.elements.find(one => one.friction && !one.links && one.a.body === index && one.a.place === tree.place);
    this.world.add(mesh);
    this.parts.push((t, moment) => {
      const pose = this.motion.pose(index, link, moment);
      this.place(mesh, pose);
      mesh.quaternion.multiply(turn);
      const stuck = own ? this.motion.stuck(own.name, t) : null;
      mesh.material.color.set(colour(stuck === null ? 'joint' : stuck >= 0.5 ? 'stick' : 'slip'));
    });
    if (own && hinge) this.addTorque(own, index, link, tree.axis);
  }

  addTorque(own, index, link, axis) {
    const column = this.motion.run.column(`${own.name}.force`);
    const largest = column ? column.reduce((most, value) => Math.max(most, Math.abs(value)), 0) : 0;
    if (!(largest > 0)) return;
    const joints = this.motion.elements.filter(one => one.friction && !one.links).length, length = (joints > 3 ? 0.1 : 0.28) * this.size; // of a robot with many they would bury it
    this.addArrow((t, moment) => {
      const {p, q} = this.motion.pose(index, link, moment);
      const share = -(this.motion.run.value(`${own.name}.force`, t) || 0) / largest;
      return [p, rotate(q, axis).map(value => value * share * length)];
    });
  }

  addElement(one) {
    if (/plane/.test(one.wire || '')) this.addPlane(one);
    if (one.kind !== 'spring-damper' || !one.links) return;
    const end = (side, moment) => {
      if (side.body < 0) return side.p;
      const {p, q} = this.motion.pose(side.body, side.place, moment);
      return add(p, rotate(q, side.p));
    };
    this.addRod(moment => [end(one.a, moment), end(one.b, moment)]);
  }

  addPlane(one) {
    if (one.b.body >= 0) return;
    const mesh = new THREE.Mesh(new THREE.PlaneGeometry(2.6 * this.size, 2.6 * this.size),
                                new THREE.MeshBasicMaterial({transparent: true, opacity: 0.25, side: THREE.DoubleSide, depthWrite: false}));
    const grid = new THREE.GridHelper(2.6 * this.size, 26, 0x888888, 0xaaaaaa);
    grid.rotation.x = Math.PI / 2;
    mesh.add(grid);
    const [w, x, y, z] = one.b.q, normal = rotate([w, x, y, z], [0, 0, 1]);
    const offset = one.b.p.reduce((sum, value, k) => sum + normal[k] * (this.centre.getComponent(k) - value), 0);
    mesh.position.set(...this.centre.toArray().map((value, k) => value - offset * normal[k])); // the centre, dropped on it
    mesh.quaternion.set(x, y, z, w);
    this.world.add(mesh);
    this.hasPlane = true;
    this.parts.push(() => mesh.material.color.set(colour('ground')));
  }

  addGround() {
    if (this.hasPlane) return;
    const grid = new THREE.GridHelper(2 * this.size, 20, 0x888888, 0xb0b0b0);
    grid.rotation.x = Math.PI / 2;
    grid.position.set(this.centre.x, this.centre.y, this.low);
    grid.material.transparent = true;
    grid.material.opacity = 0.5;
    this.world.add(grid);
  }

  addForce(one, index) {
    if (!one.friction && !one.contact && !/plane/.test(one.wire || '')) return;
    const largest = this.motion.largestForce();
    if (!(largest > 0)) return;
    const arrow = this.addArrow((t, moment) => {
      const {at, f} = this.motion.force(index, moment);
      return [at, f.map(value => value / largest * 0.3 * this.size)];
    });
    this.parts.push((t, moment) => {
      const stuck = this.motion.force(index, moment).stuck ?? this.motion.stuck(one.name, t);
      arrow.material.color.set(colour(stuck === null ? 'force' : stuck >= 0.5 ? 'stick' : 'slip'));
    });
  }

  addArrow(ends) {
    const group = new THREE.Group(), material = new THREE.MeshStandardMaterial({roughness: 0.5});
    const shaft = new THREE.Mesh(new THREE.CylinderGeometry(0.22 * this.thick, 0.22 * this.thick, 1, 12), material);
    const head = new THREE.Mesh(new THREE.ConeGeometry(0.6 * this.thick, 1.6 * this.thick, 16), material);
    group.add(shaft, head);
    this.world.add(group);
    const along = new THREE.Vector3();
    this.parts.push((t, moment) => {
      const [at, vector] = ends(t, moment);
      material.color.set(colour('force'));
      along.set(...vector);
      const length = along.length();
      group.visible = length > 0.2 * this.thick;
      group.position.set(...at);
      group.quaternion.setFromUnitVectors(UP, along.divideScalar(length || 1));
      const tip = Math.min(1.6 * this.thick, length);
      head.scale.setScalar(tip / (1.6 * this.thick));
      head.position.y = length - 0.5 * tip;
      shaft.scale.y = Math.max(1e-6, length - tip);
      shaft.position.y = 0.5 * (length - tip);
    });
    return {material};
  }

  look() {
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.01 * this.size, 50 * this.size);
    this.camera.up.set(0, 0, 1);
    this.controls = new OrbitControls(this.camera, this.renderer.domElement);
    this.controls.enableKeys = false;
    const way = (this.motion.eye ?? new THREE.Vector3(0.35, -1, 0.62)).clone().normalize().multiplyScalar(1.12 * this.size);
    this.camera.position.copy(this.centre).add(way);
    this.controls.target.copy(this.centre);
    this.controls.update();
    this.controls.addEventListener('change', () => this.paint());
  }

  // A body (followable in motion.js) that the camera goes along with; null: none.
  follow(target) {
    this.target = target;
    if (!target) return;
    const moment = this.motion.at(this.clock.t), at = new THREE.Vector3(...this.motion.pose(target.body, target.link, moment).p);
    const own = this.motion.bodies[target.body], reach = Math.max(0, ...this.motion.shapes.filter(one => one.body === target.body).map(reachOf));
    const places = own.tree?.[target.link]?.joint === 'floating' && own.tree.filter(link => link.joint === 'floating').length > 1
      ? [at.toArray()] : Array.from({length: own.drawn ?? own.links}, (_, i) => this.motion.pose(target.body, i, moment).p);
    const away = Math.max(...places.map(p => at.distanceTo(new THREE.Vector3(...p)))) + Math.max(reach, 2 * this.thick);
    const way = this.camera.position.clone().sub(this.controls.target).normalize();
    this.controls.target.copy(at);
    this.camera.position.copy(at).addScaledVector(way, Math.min(3.2 * away, 1.2 * this.size));
    this.controls.update();
    this.paint();
  }

  goAlong(moment) {
    if (!this.target) return;
    const step = new THREE.Vector3(...this.motion.pose(this.target.body, this.target.link, moment).p).sub(this.controls.target);
    this.controls.target.add(step);
    this.camera.position.add(step);
  }

  place(mesh, {p, q}) {
    mesh.position.set(...p);
    mesh.quaternion.set(q[1], q[2], q[3], q[0]);
  }

  paint() {
    const width = this.host.clientWidth, height = this.host.clientHeight;
    if (width === 0) return;
    if (width !== this.width || height !== this.height) {
      this.width = width;
      this.height = height;
      this.renderer.setPixelRatio(Math.min(2, devicePixelRatio || 1));
      this.renderer.setSize(width, height);
      this.camera.aspect = width / height;
      this.camera.updateProjectionMatrix();
    }
    const moment = this.motion.at(this.clock.t);
    this.goAlong(moment);
    for (const part of this.parts) part(this.clock.t, moment);
    this.renderer.render(this.world, this.camera);
  }
}
